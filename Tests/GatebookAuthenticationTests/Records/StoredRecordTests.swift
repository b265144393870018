internal import Foundation
internal import GatebookEvents
internal import RecordCorpus
internal import Testing

@testable internal import GatebookAuthentication

/// Records as they were stored: they are read and written back byte for byte, and what was refused
/// of a damaged one, or dropped, still is.
///
/// A line is never changed and never removed. With `GATEBOOK_UPDATE_SNAPSHOTS=1` a new one, whose
/// outcomes are `?`, gets what comes of it now.
struct StoredRecordTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "records-1.txt")

  private static let lines = ((try? String(contentsOf: file, encoding: .utf8)) ?? "")
    .split(separator: "\n").compactMap { RecordLine($0) }

  @Test(arguments: types.keys.sorted())
  func `records are read and written as they were`(_ type: String) throws {
    let lines = Self.lines.filter { $0.type == type }
    let decode = try #require(Self.types[type])
    #expect(lines.contains { $0.outcomes.dropFirst(17).first == "=" })
    for line in lines where line.outcomes != "?" {
      for difference in line.differences(decode) {
        Issue.record("\(type) \(line.text.prefix(80)): \(difference)")
      }
    }
  }

  @Test func `each line has a type and its outcomes`() throws {
    guard ProcessInfo.processInfo.environment["GATEBOOK_UPDATE_SNAPSHOTS"] == nil else {
      let judged = try Self.lines.map { line in
        let decode = try #require(Self.types[line.type], "\(line.type)")
        return line.outcomes == "?"
          ? try #require(line.judged(by: decode)) : "\(line.type) \(line.outcomes) \(line.text)"
      }
      return try Data((judged.joined(separator: "\n") + "\n").utf8).write(to: Self.file)
    }
    for line in Self.lines {
      #expect(Self.types[line.type] != nil, "\(line.type)")
      #expect(line.outcomes != "?", "\(line.type)")
    }
  }
}
