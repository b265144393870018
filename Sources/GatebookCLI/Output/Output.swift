internal import Gatebook

/// Results on standard output, messages on standard error.
@MainActor final class Output {
  private var results: any ByteSink
  private var messages: any ByteSink
  private let isQuiet: Bool
  /// Whether all that is known is wanted where one line would do.
  let isVerbose: Bool
  private var buffer: [UInt8] = []
  private var failure: GatebookError?

  /// Whether results are JSON.
  let isJSON: Bool
  /// Whether texts may be coloured.
  let hasColor: Bool
  /// Whether results go straight to a terminal.
  let isTerminal: Bool
  /// How wide that terminal is; `nil` for any width.
  let columns: Int?
  /// How wide the terminal of the messages is; `nil` for any width.
  private let messageColumns: Int?
  /// The options that name the book and its key: each command that is printed names them too.
  private let place: String
  /// Writes times for people.
  let times: TimeText
  /// Whether somebody still reads the results; a long listing stops when nobody does.
  private(set) var hasReader = true

  /// The same, checked again: a program that writes nothing for long does not notice it.
  var isRead: Bool { hasReader && results.hasReader }

  init(
    results: any ByteSink, messages: any ByteSink, isJSON: Bool, isQuiet: Bool = false,
    isVerbose: Bool = false, hasColor: Bool = false, isTerminal: Bool = false, columns: Int? = nil,
    messageColumns: Int? = nil, place: String = "",
    times: TimeText = TimeText(zone: .utc, isUTC: true)
  ) {
    self.results = results
    self.messages = messages
    self.isJSON = isJSON
    self.isQuiet = isQuiet
    self.isVerbose = isVerbose
    self.hasColor = hasColor
    self.isTerminal = isTerminal
    self.columns = columns
    self.messageColumns = messageColumns
    self.place = place
    self.times = times
  }

  /// Shows what follows page by page; what was written before stays before it.
  func page(by pager: Pager) {
    flush()
    results = pager.resultSink
    // Messages that go to another place stay out of it.
    if messageColumns != nil { messages = pager.messageSink }
  }

  // MARK: Results

  /// One JSON value on a line of its own.
  func json(_ value: JSON) {
    bytes(value.encoded + [UInt8(ascii: "\n")])
  }

  /// Writes objects, a line each, where results are for programs.
  ///
  /// - Parameter objects: What a program reads.
  /// - Returns: Whether they are for programs, so that nothing is left to be shown to people.
  func tells(programs objects: @autoclosure () -> [JSON]) -> Bool {
    guard isJSON else { return false }
    for object in objects() { json(object) }
    return true
  }

  /// Text that Gatebook made, line ends included.
  func text(_ text: String) {
    bytes(Array(PrintedCommand.placed(text, at: place).utf8))
  }

  /// One line of text.
  func line(_ line: String) {
    text(line + "\n")
  }

  /// Lines of text.
  func lines(_ lines: [String]) {
    for line in lines { self.line(line) }
  }

  /// A sentence, broken where the terminal ends.
  func sentence(_ text: String) {
    line(WrappedText.message(PrintedCommand.placed(text, at: place), width: columns))
  }

  /// A table, or nothing but its headings.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - hasHeadings: Whether the first line is printed.
  func table(_ table: TextTable, hasHeadings: Bool = true) {
    lines(table.lines(hasColor: hasColor, width: columns, hasHeadings: hasHeadings))
  }

  /// A text in a colour, where there are colours.
  func painted(_ text: String, _ paint: Paint) -> String {
    hasColor ? paint.on(text) : text
  }

  /// Bytes as they are.
  func bytes(_ bytes: [UInt8]) {
    guard hasReader, failure == nil else { return }
    buffer += bytes
    if buffer.count >= 65_536 { flush() }
  }

  /// Writes what has gathered.
  func flush() {
    guard !buffer.isEmpty, hasReader, failure == nil else { return }
    shareTerminal()
    do throws(GatebookError) {
      hasReader = try results.write(buffer)
    } catch {
      failure = error
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Writes what has gathered; a reader that went away is no failure.
  func finish() throws(GatebookError) {
    flush()
    if let failure { throw failure }
  }

  /// Where results go, for who writes them from another thread.
  ///
  /// - Returns: What takes them; nothing else is to write results until that has ended.
  /// - Throws: What ``finish()`` throws.
  func handOver() throws(GatebookError) -> any ByteSink {
    try finish()
    shareTerminal()
    return results
  }

  /// Results that a thread of its own writes, after those that were written here.
  ///
  /// - Returns: What writes them; nothing else is to write results until it has ended.
  /// - Throws: `limit.exceeded` when the machine has no thread left, or what ``finish()`` throws.
  func behind() throws(GatebookError) -> WriteBehind {
    try WriteBehind(try handOver())
  }

  /// Gives the terminal back before the first result: a pager that reads it uses the terminal too.
  private func shareTerminal() {
    if !isTerminal { Terminal.restore() }
  }

  // MARK: Messages

  /// Says that a listing is empty; a program sees that there is no line.
  func empty(_ text: String) {
    guard !isJSON else { return }
    message(text)
  }

  /// A message for people beside the results; not shown with `--quiet`.
  func message(_ text: String) {
    guard !isQuiet else { return }
    flush()
    emit(
      WrappedText.message(PrintedCommand.placed(text, at: place), width: messageColumns) + "\n")
  }

  /// A line that the person needs to continue; shown with `--quiet` too.
  func instruction(_ line: String) {
    flush()
    emit(PrintedCommand.placed(line, at: place) + "\n")
  }

  /// An error.
  func report(_ report: ErrorReport) {
    let report = report.placed(at: place)
    flush()
    emit(
      isJSON
        ? String(decoding: report.json.encoded, as: UTF8.self) + "\n"
        : WrappedText.message(report.text, width: messageColumns))
  }

  /// Messages that another process has written for this one, as they are.
  func passOn(messages bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    flush()
    _ = try? messages.write(bytes)
  }

  private func emit(_ text: String) {
    // There is nobody left to tell that standard error cannot be written.
    _ = try? messages.write(Array(text.utf8))
  }
}

/// What a colour says: text says the same without it.
enum Paint: String, Sendable {
  case good = "32"
  case warning = "33"
  case bad = "31"
  case faint = "2"
  case strong = "1"

  /// The text in this colour (ECMA-48 section 8.3.117, SGR).
  func on(_ text: String) -> String { "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" }
}
