import Foundation
import Testing

@testable import GatebookEvents

/// The sentence of each event of the corpus, in an indented line below it.
///
/// If it differs without an account, that sentence is in a second line.
/// With `GATEBOOK_UPDATE_SNAPSHOTS=1` these lines are written again, to be read by a person.
struct EventSentenceTests {
  @Test func `the sentences are those that are kept`() throws {
    let told = Self.told
    guard ProcessInfo.processInfo.environment["GATEBOOK_UPDATE_SNAPSHOTS"] == nil else {
      return try Data((told.joined(separator: "\n") + "\n").utf8).write(to: EventCorpusTests.file)
    }
    let kept = try String(contentsOf: EventCorpusTests.file, encoding: .utf8)
      .split(separator: "\n")
    #expect(told.count == kept.count)
    for (told, kept) in zip(told, kept) where told != kept {
      Issue.record("kept: \(kept)\nnow:  \(told)")
    }
  }

  @Test func `a kind that only a newer version knows is shown by its name`() {
    #expect(Self.words("share.offered", [:], of: nil).contains("“share.offered”"))
  }

  /// The corpus with what is said of its events now.
  private static var told: [String] {
    EventCorpusTests.lines.flatMap { line -> [String] in
      let facts = Facts(decoding: Array(line.data.utf8)) ?? [:]
      let own = words(line.kind, facts, of: AccountID(high: 1, low: 2))
      let nobodys = words(line.kind, facts, of: nil)
      let sentences = own == nobodys ? [own] : [own, nobodys]
      return ["\(line.kind) \(line.data)"] + sentences.map { "  \($0)" }
    }
  }

  private static func words(_ kind: String, _ facts: Facts, of account: AccountID?) -> String {
    let program = Program(
      name: "tests", version: "1", installation: InstallationID(high: 1, low: 4))
    let event = RecordedEvent(
      position: Position(rawValue: 1), id: EventID(high: 1, low: 1), account: account, revision: 1,
      session: account.map { _ in SessionID(high: 1, low: 3) }, kind: kind, version: 1,
      at: Timestamp(rawValue: 0), cause: nil, writer: Writer(program: program, process: 1),
      data: facts, personal: nil)
    return event.sentence.text { "\($0)" }
  }
}
