internal import GatebookAuthentication
internal import Testing

/// One row of a machine's table: answers, and where they lead.
struct DialogueRow: Sendable, CustomTestStringConvertible {
  let name: String
  let replies: [HTTPReply]
  /// `finish`, a failure's code, or `METHOD URL` of the next request.
  let ending: String

  /// Makes a row.
  init(_ name: String, _ replies: [HTTPReply], _ ending: String) {
    self.name = name
    self.replies = replies
    self.ending = ending
  }

  var testDescription: String { "\(name): \(ending)" }
}
