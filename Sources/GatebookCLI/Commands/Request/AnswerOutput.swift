internal import Gatebook
internal import GatebookSystem

/// Where the answer to a request goes.
///
/// A terminal gets the body when it is complete, because text has to be made printable. A file or a
/// pipe gets it while it arrives.
@MainActor final class AnswerOutput {
  private nonisolated static let fields = CommandOption.flag(
    "-i", "print the status and the header fields before the body")
  private nonisolated static let file = CommandOption.value(
    "-o", "FILE", "write the body to this file; an interrupted download leaves the file as it was")

  /// All of them, in the order of the help.
  nonisolated static let options = [fields, file]

  private let output: Output
  private let progress: ProgressLine
  private let file: OutputFile?
  private let hasFields: Bool
  private let isUnread = Locked(false)

  /// Begins the file, where one is named.
  ///
  /// - Parameters:
  ///   - call: What was given.
  ///   - isHead: Whether only header fields are asked for.
  /// - Throws: `configuration.invalid` or `storage.full` where it cannot be written.
  init(_ call: Call, isHead: Bool) throws {
    output = call.output
    progress = call.progress
    hasFields = isHead || call.arguments.has(Self.fields)
    file = try OutputFile.path(call.arguments[Self.file]).map { try OutputFile.open($0) }
  }

  /// Whether the body goes to a file.
  var hasFile: Bool { file != nil }

  /// Whether the reader of standard output went away before the body was complete.
  var wasLeft: Bool { isUnread.withLock { $0 } }

  /// What takes the body while it arrives; `nil` where it goes to a terminal.
  ///
  /// - Throws: What writing to standard output or the file throws.
  func sink() throws -> BodySink? {
    guard file != nil || !output.isTerminal else { return nil }
    let results = try output.handOver()
    let target = file?.sink() ?? results
    let head = hasFields ? results : nil
    let meter = DownloadMeter(progress)
    let isUnread = isUnread
    let hasFile = file != nil
    @Sendable func write(_ bytes: [UInt8], _ place: any ByteSink) throws(GatebookError) {
      guard try place.write(bytes) else {
        isUnread.withLock { $0 = true }
        throw Self.left
      }
    }
    return BodySink(
      begin: { (reply) throws(GatebookError) in
        meter.begin(reply)
        guard let head else { return }
        let text = Array(Self.text(of: reply).utf8)
        // The file is written also if nobody reads the header fields.
        if hasFile { _ = try head.write(text) } else { try write(text, head) }
      },
      receive: { (piece) throws(GatebookError) in
        try write(Array(piece), target)
        meter.add(piece.count)
      })
  }

  private nonisolated static let left = GatebookError(
    .cancelled, "The answer is no longer read.", kept: "The session is kept.", remedy: "")

  private nonisolated static func text(of reply: HTTPReply) -> String {
    let lines = reply.fields.map { Printable.text("\($0.name): \(RequestTrace.shown($0))") }
    return (["HTTP \(reply.status)"] + lines + ["", ""]).joined(separator: "\n")
  }

  /// Writes what the sink has not taken, and finishes the file.
  ///
  /// - Parameters:
  ///   - reply: The answer.
  ///   - keepsFile: Whether the file stays as it was.
  /// - Throws: What writing the file throws.
  func show(_ reply: HTTPReply, keepsFile: Bool) throws {
    // A late update must not show the line again.
    progress.finish()
    if !reply.isStreamed, hasFields { output.text(Self.text(of: reply)) }
    if let file {
      guard !keepsFile else { return }
      try file.write(reply.body)
      return try file.finish()
    }
    guard !reply.isStreamed else { return }
    guard output.isTerminal else { return output.bytes(reply.body) }
    guard let text = String(validating: reply.body, as: UTF8.self) else {
      return output.message(
        "The body is \(reply.body.count) bytes that are not text. Write it to a file with `-o FILE`."
      )
    }
    output.text(Printable.text(text, keepsLines: true))
    if !text.isEmpty, !text.hasSuffix("\n") { output.text("\n") }
  }
}

/// A redirect that was not followed: to another server, where no credentials go, or of a request
/// that does something.
struct UnfollowedRedirect: Hashable, Sendable {
  /// One sentence for people.
  ///
  /// It names the other server and nothing else of the address: a path or a query may hold a token.
  let text: String

  /// Looks for one; `nil` when the answer leads nowhere.
  ///
  /// - Parameters:
  ///   - reply: The last answer.
  ///   - request: What was asked for.
  init?(_ reply: HTTPReply, to request: HTTPRequest) {
    guard (300...399).contains(reply.status), let location = reply.fields.first("Location")
    else { return nil }
    let url = request.url
    let target = url.resolve(location)?.origin
    guard target != url.origin else {
      guard request.method != "GET", request.method != "HEAD" else { return nil }
      text =
        "The server redirects (\(reply.status)) within itself: of a \(request.method) that was not "
        + "followed."
      return
    }
    let place = target.map { "\($0)" } ?? "an address that is none of the web"
    text = "The server redirects (\(reply.status)) to \(place): that was not followed."
  }
}
