/// The percent-encoding of OAuth 1.0a (RFC 5849 section 3.6), narrower than a form's.
package enum OAuth1Encoding {
  /// The bytes with all but letters, digits and `- . _ ~` as `%` and two capital digits.
  package static func encode(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    for byte in bytes {
      if byte.isUnreserved { text.append(byte) } else { PercentEncoding.append(byte, to: &text) }
    }
    return text
  }
}
