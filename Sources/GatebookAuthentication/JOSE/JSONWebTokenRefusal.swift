internal import GatebookEvents

/// Why a text is no token that may be trusted: a reason for each rule.
package enum JSONWebTokenRefusal: String, Error, Hashable, Sendable, CaseIterable {
  /// It has more than 64 KiB.
  case tooLong = "size"
  /// It has five parts: it is encrypted (RFC 7516 section 7.1), which is not supported.
  case encrypted
  /// It has not three parts of base64url without padding.
  case parts
  /// Its header is no JSON object, has a name twice or a member of another kind than its own.
  case header
  /// Its content is no JSON object, or has a name twice.
  case content
  /// `crit` demands something that is not supported (RFC 7515 section 4.1.11).
  case critical = "crit"
  /// `alg` is `none`, in any spelling (RFC 8725 section 3.2).
  case unsigned = "alg.none"
  /// `alg` is unknown or not allowed here.
  case algorithm = "alg"
  /// No key, or not one alone, is the one it was signed with.
  case unknownKey = "kid"
  /// The key that is named is for something else.
  case keyUnfit = "key.use"
  /// The key has fewer than 2,048 bits.
  case weakKey = "key.size"
  /// The signature is not the key's over these bytes.
  case signature
}
