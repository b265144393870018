import Foundation
import Testing

@testable import GatebookEvents

/// Events as they were written: a kind, a blank and the stored facts.
///
/// Indented lines below an event are what is said of it.
/// The line of an event is never changed and never removed. Facts that a kind gained later are
/// further lines.
struct EventCorpusTests {
  struct Line: Sendable, CustomTestStringConvertible {
    let kind: String
    let data: String

    var testDescription: String { "\(kind) \(data)" }
  }

  static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "events-1.txt")

  static let lines: [Line] = {
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").filter { !$0.hasPrefix(" ") }.compactMap { line in
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      return parts.count == 2 ? Line(kind: parts[0], data: parts[1]) : nil
    }
  }()

  @Test func `each kind is in the corpus`() {
    let kinds = Set(Self.lines.map(\.kind))
    for kind in EventKind.allCases { #expect(kinds.contains(kind.rawValue), "\(kind.rawValue)") }
  }

  @Test(arguments: lines)
  func `facts are written back byte for byte`(_ line: Line) throws {
    let kind = try #require(EventKind(rawValue: line.kind))
    let facts = try #require(Facts(decoding: Array(line.data.utf8)))
    let read: any EventFacts = kind.facts.init(facts)
    #expect(String(decoding: read.facts.encoded, as: UTF8.self) == line.data)
  }

  @Test(arguments: lines)
  func `the folds read the same facts, except for the details`(_ line: Line) throws {
    let kind = try #require(EventKind(rawValue: line.kind))
    #expect(try Self.foldsAgree(kind.facts, line.data))
  }

  /// Whether the folds' reader finds the same facts as the other one.
  private static func foldsAgree<Kind: EventFacts>(_ kind: Kind.Type, _ data: String) throws -> Bool
  {
    let bytes = Array(data.utf8)
    let whole = Kind(try #require(Facts(decoding: bytes))).facts
    let seen = bytes.withUnsafeBytes { RowReader.fold($0) as Kind }.facts
    return FactNames.of(kind, hasDetails: false).allSatisfy { seen[$0] == whole[$0] }
  }

  @Test(arguments: EventKind.allCases)
  func `facts that this version does not know change nothing`(_ kind: EventKind) throws {
    let line = try #require(Self.lines.first { $0.kind == kind.rawValue })
    var facts = try #require(Facts(decoding: Array(line.data.utf8)))
    let known: any EventFacts = kind.facts.init(facts)
    facts["aaNewer"] = .list([1, "x"])
    facts["zzNewer"] = .object(["a": true])
    let read: any EventFacts = kind.facts.init(facts)
    #expect(read.facts == known.facts)
  }

  @Test(arguments: EventKind.allCases)
  func `facts of another type are as if they were absent`(_ kind: EventKind) {
    for name in FactNames.of(kind.facts) {
      let strange: any EventFacts = kind.facts.init([name: .list([.null])])
      let blank: any EventFacts = kind.facts.init([:])
      guard strange.facts[name] != .list([.null]), strange.facts[name] != .list([]) else {
        continue
      }
      #expect(strange.facts == blank.facts, "\(name)")
    }
  }
}
