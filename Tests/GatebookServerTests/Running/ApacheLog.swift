internal import Foundation
internal import Testing

/// What an Apache writes down of the requests that it answered.
struct ApacheLog {
  /// Where the Apache is, and the log.
  let base: String
  let file: String

  /// What was asked for with this text in its URL, as it was answered: `user path status`, with `-`
  /// for nobody's.
  func requests(with text: String) throws -> [String] {
    // Apache writes a line after it has answered: when a later request's is there, so are these.
    let fence = "/public/?\(UUID().uuidString)"
    var log = ""
    for _ in 0..<1000 where !log.contains(fence) {
      try #require(try Curl.status([base + fence]) == 200)
      log = try String(contentsOfFile: file, encoding: .utf8)
    }
    try #require(log.contains(fence), "nothing comes into the log")
    return log.split(separator: "\n").map { $0.split(separator: " ") }
      .filter { $0.count == 8 && $0[5].contains(text) }
      .map { "\($0[1]) \($0[5]) \($0[7])" }
  }
}
