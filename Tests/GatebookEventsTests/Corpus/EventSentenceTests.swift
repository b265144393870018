import Foundation
import Testing

@testable import GatebookEvents

/// The sentence of each event of the corpus.
///
/// If it differs without an account, that sentence is in a second line.
/// With `GATEBOOK_UPDATE_SNAPSHOTS=1` the file is written again, to be read by a person.
struct EventSentenceTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "sentences-1.txt")

  @Test func `the sentences are those that are kept`() throws {
    let told = Self.sentences
    guard ProcessInfo.processInfo.environment["GATEBOOK_UPDATE_SNAPSHOTS"] == nil else {
      return try Data((told.joined(separator: "\n") + "\n").utf8).write(to: Self.file)
    }
    let kept = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n")
    #expect(told.count == kept.count)
    for (told, kept) in zip(told, kept) where told != kept {
      Issue.record("kept: \(kept)\nnow:  \(told)")
    }
  }

  @Test func `a kind that only a newer version knows is shown by its name`() {
    #expect(Self.words("share.offered", [:], of: nil).contains("“share.offered”"))
  }

  private static var sentences: [String] {
    EventCorpusTests.lines.flatMap { line -> [String] in
      let facts = Facts(decoding: Array(line.data.utf8)) ?? [:]
      let own = "\(line.kind) \(words(line.kind, facts, of: AccountID(high: 1, low: 2)))"
      let nobodys = "\(line.kind) \(words(line.kind, facts, of: nil))"
      return own == nobodys ? [own] : [own, nobodys]
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
