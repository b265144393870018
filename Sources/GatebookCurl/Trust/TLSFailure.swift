/// What OpenSSL noted when TLS itself failed, as libcurl quotes it:
/// `error:0A000126:SSL routines::…`.
struct TLSFailure {
  private static let mark = "error:"
  /// Of the library that speaks TLS (`ERR_LIB_SSL`).
  private static let library = 20
  /// The peer closed the connection without a word (`SSL_R_UNEXPECTED_EOF_WHILE_READING`).
  private static let unexpectedEnd = 294

  /// OpenSSL's number of the reason.
  let reason: Int

  /// Finds the reason; `nil` when the network broke, not TLS.
  init?(words: String) {
    let words = Array(words.utf8)
    let mark = Array(Self.mark.utf8)
    guard let start = words.indices.first(where: { words[$0...].starts(with: mark) }) else {
      return nil
    }
    let digits = words[(start + mark.count)...].prefix { $0 != UInt8(ascii: ":") }
    guard let code = Int(String(decoding: digits, as: UTF8.self), radix: 16),
      code >> 23 & 0xFF == Self.library
    else { return nil }
    reason = code & 0x7F_FFFF
    guard reason != Self.unexpectedEnd else { return nil }
  }
}
