import Gatebook
import Testing

/// A row of the table in the article *What ends a session*: answers of a server, and what becomes
/// of a session.
struct AnswerRow: Sendable, CustomTestStringConvertible {
  /// `nil` for no answer.
  let statuses: [Int?]
  let bodies: [String]
  let types: [String]
  /// What is sent, such as `refresh`.
  let step: String
  /// What becomes of it, such as `renewal ends`.
  let end: String
  /// The reason or the code that the table names with it.
  let name: String?
  let testDescription: String

  private init?(_ line: String) {
    let cells = line.split(separator: "|").map { $0.trimmed }
    guard cells.count == 5, let step = Self.spans(cells[3]).first else { return nil }
    statuses =
      cells[0] == "no answer" ? [nil] : cells[0].split(separator: ",").map { Int($0.trimmed) }
    guard statuses.count == 1 || !statuses.contains(nil) else { return nil }
    bodies = (Self.words(cells[1]).contains("none") ? [""] : []) + Self.spans(cells[1])
    types = cells[2] == "any" ? ["application/json", "text/html"] : Self.spans(cells[2])
    self.step = step
    end = cells[4].split(separator: ":").first.map { $0.trimmed } ?? ""
    name = Self.spans(cells[4]).first
    testDescription = line
  }

  /// Every answer that the row names, with its content types in turn.
  ///
  /// `nil` is no answer.
  var answers: [HTTPReply?] {
    var answers: [HTTPReply?] = []
    for (number, status) in statuses.enumerated() {
      guard let status else {
        answers.append(nil)
        continue
      }
      for (index, body) in bodies.enumerated() {
        let type = types[(number + index) % types.count]
        answers.append(
          HTTPReply(
            status: status, fields: [HTTPField("Content-Type", type)], body: Array(body.utf8)))
      }
    }
    return answers
  }

  /// The rows of a step.
  static func of(_ step: String) -> [AnswerRow] { all.filter { $0.step == step } }

  /// How many lines the article's table has, whether they can be read or not.
  static var lineCount: Int { lines.count }

  static let all: [AnswerRow] = lines.compactMap { AnswerRow($0) }

  private static let lines: [String] = {
    let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let path = "/\(root)/Sources/Gatebook/Gatebook.docc/WhatEndsASession.md"
    let text = String(decoding: TestFile.read(path).bytes, as: UTF8.self)
    let answers = text.firstRange(of: "## The answers").map { text[$0.lowerBound...] } ?? ""
    let table = answers.split(separator: "\n").map(String.init).filter { $0.hasPrefix("| ") }
    return table.filter { !$0.hasPrefix("| status") }
  }()

  /// The text between backticks.
  private static func spans(_ cell: String) -> [String] {
    cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }

  /// The text outside them.
  private static func words(_ cell: String) -> [String] {
    cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 0 }
      .flatMap { $0.element.split(separator: " ").map(String.init) }
  }
}

extension StringProtocol {
  /// Without blanks around it.
  fileprivate var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
