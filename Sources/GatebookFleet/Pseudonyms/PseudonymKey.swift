public import Gatebook
internal import GatebookCrypto
internal import GatebookEvents

/// The key of a company for pseudonyms: with it one can ask a fleet for all sessions of a person.
///
/// A pseudonym is a keyed hash of a name. Who has the fleet and not the key learns nothing from it.
/// Who has the key can try names.
public struct PseudonymKey: Sendable {
  private let secret: Secret
  /// Tells one key from another: 8 bytes of a hash.
  let fingerprint: [UInt8]

  /// Reads a key.
  ///
  /// - Parameter text: 64 hexadecimal digits, such as `openssl rand -hex 32` prints.
  /// - Throws: `configuration.invalid` for anything else.
  public init(_ text: Secret) throws(GatebookError) {
    let bytes = text.withBytes { Hex.decode(String(decoding: $0, as: UTF8.self)) }
    guard let bytes, bytes.count == 32 else {
      throw GatebookError(
        .configurationInvalid, "The key of pseudonyms is not 64 hexadecimal digits.",
        remedy: "Make one: (umask 077; openssl rand -hex 32 > FILE).")
    }
    secret = Secret(bytes)
    fingerprint = Array(HMAC.sha256(key: bytes, Array("gatebook/pseudonym-key".utf8)).prefix(8))
  }

  /// The pseudonym of a name.
  ///
  /// ```
  /// HMAC-SHA-256(key, 01 ‖ u16 length ‖ purpose ‖ u32 length ‖ name)
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name as it is written, in UTF-8.
  ///   - purpose: What the name is.
  /// - Returns: 32 bytes.
  func pseudonym(of name: String, as purpose: PseudonymPurpose) -> [UInt8] {
    let (purpose, name) = (Array(purpose.rawValue.utf8), Array(name.utf8))
    var message: [UInt8] = [1]
    message +=
      withUnsafeBytes(of: UInt16(clamping: purpose.count).bigEndian) { Array($0) } + purpose
    message += withUnsafeBytes(of: UInt32(clamping: name.count).bigEndian) { Array($0) } + name
    return secret.withBytes { HMAC.sha256(key: $0, message) }
  }
}

/// Which name of a person a pseudonym is made of.
enum PseudonymPurpose: String, CaseIterable {
  /// The server's id of the user.
  case id
  /// The server's name of the user.
  case user
  /// The name that was typed at a login.
  case typed
}
