internal import Gatebook
internal import GatebookTestSupport
internal import Glibc
internal import Testing

@testable internal import GatebookCLI
@testable internal import GatebookFakes

/// A sample book and its report, in a folder of their own that goes with them.
@MainActor final class ReportedBook {
  /// A day after the sample begins its second month.
  private static let now = Moment(
    wall: Timestamp(rawValue: 1_770_300_000_000_000), boot: .seconds(3_000_000))

  let folder: TemporaryFolder
  var book: String { "\(folder.path)/book" }
  var file: String { "\(folder.path)/report.html" }

  init(days: Int = 30, renewals: Int = 1, text: String? = nil) async throws {
    folder = try TemporaryFolder(named: "gatebook-report")
    try await SampleBook.make(
      at: book, key: "\(folder.path)/key", days: days, renewals: renewals, text: text)
  }

  deinit { folder.remove() }

  /// Runs `gatebook report` with more words and reads the page.
  @discardableResult
  func report(_ more: String..., zone: TimeZoneRule = .utc) async throws -> String {
    let messages = MemorySink()
    let program = Invocation(
      line: ["report", "-o", file, "--book", book, "--key", "none"] + more,
      table: CommandTable.commands,
      surroundings: Surroundings(
        environment: ["HOME": folder.path], clock: GatebookTestSupport.FixedClock(Self.now),
        zone: zone),
      results: MemorySink(), messages: messages)
    let exit = await program.run()
    try #require(exit == .done, "\(messages.text)")
    return String(
      decoding: try TextFile.bytes(file, what: "report", limit: 64 << 20), as: UTF8.self)
  }

  /// The page without its own style and script, and without the root: a process has another number
  /// each time.
  func content(_ page: String) throws -> String {
    let own = [PageFiles.style, PageFiles.script].map { String(decoding: $0, as: UTF8.self) }
    let root = try BookReader.open(at: book).head().root
    return (own + [PageFiles.policy, root]).reduce(page) { $0.replacing($1, with: "") }
  }

  /// The members of a list; of anything else none.
  static func list(_ value: PlainJSON?) -> [PlainJSON] {
    if case .array(let members)? = value { members } else { [] }
  }

  /// The block of data.
  func data(_ page: String) throws -> PlainJSON {
    let block = try #require(page.firstRange(of: #"<script type="application/json" id="data">"#))
    let end = try #require(page[block.upperBound...].firstRange(of: "</script>"))
    return try #require(
      PlainJSON.read(Array(page[block.upperBound..<end.lowerBound].utf8)))
  }
}
