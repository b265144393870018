/// Why a peer broke off TLS, by its own account (RFC 8446 section 6).
struct TLSAlert {
  /// The alert's number in IANA's registry of TLS alerts.
  let number: Int

  /// Finds the alert in libcurl's words for a failure; `nil` when the peer sent none.
  ///
  /// OpenSSL says `error:0A00045C:…`: library 20, and 1000 and the alert as the reason.
  init?(words: String) {
    guard let reason = TLSFailure(words: words)?.reason, (1000...1255).contains(reason)
    else { return nil }
    number = reason - 1000
  }

  /// The peer says that a certificate has expired.
  static let certificateExpired = TLSAlert(number: 45)

  private init(number: Int) {
    self.number = number
  }

  /// The alert's registered name, such as `certificate_required`.
  var name: String { Self.names[number] ?? "alert_\(number)" }

  /// Whether it is about the client's certificate.
  var isAboutClientCertificate: Bool {
    [42, 43, 44, 45, 46, 48, 49, 116].contains(number)
  }

  /// Whether it says that the client showed no certificate.
  var asksForCertificate: Bool { number == 116 }

  /// Whether it names no reason: before TLS 1.3 that is also how a missing certificate is refused.
  var isHandshakeFailure: Bool { number == 40 }

  private static let names = [
    0: "close_notify", 10: "unexpected_message", 20: "bad_record_mac", 22: "record_overflow",
    40: "handshake_failure", 42: "bad_certificate", 43: "unsupported_certificate",
    44: "certificate_revoked", 45: "certificate_expired", 46: "certificate_unknown",
    47: "illegal_parameter", 48: "unknown_ca", 49: "access_denied", 50: "decode_error",
    51: "decrypt_error", 70: "protocol_version", 71: "insufficient_security",
    80: "internal_error", 86: "inappropriate_fallback", 90: "user_canceled",
    109: "missing_extension", 110: "unsupported_extension", 112: "unrecognized_name",
    113: "bad_certificate_status_response", 115: "unknown_psk_identity",
    116: "certificate_required", 120: "no_application_protocol",
  ]
}

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
