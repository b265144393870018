internal import Gatebook

/// Where a request's body ends (RFC 9112 section 6.3).
package enum BodyFraming: Sendable, Equatable {
  /// It has none.
  case none
  /// After so many bytes, at least 1.
  case length(Int)
  /// With its last chunk.
  case chunked

  /// Reads it from a header, and refuses whatever two programs could understand differently.
  ///
  /// - Throws: `framing` for more than one length, for a length and a coding, and for any coding
  ///   but `chunked`.
  package init(_ head: RequestHead) throws(ProxyRefusal) {
    let lengths = head.fields.values(of: "Content-Length")
    let codings = head.fields.values(of: "Transfer-Encoding")
    guard !codings.isEmpty else {
      guard let length = lengths.first else {
        self = .none
        return
      }
      guard lengths.count == 1, (1...18).contains(length.utf8.count),
        length.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(length)
      else { throw .framing }
      self = count == 0 ? .none : .length(count)
      return
    }
    guard lengths.isEmpty, head.isCurrent, codings.count == 1, codings[0].lowercased() == "chunked"
    else { throw .framing }
    self = .chunked
  }
}
