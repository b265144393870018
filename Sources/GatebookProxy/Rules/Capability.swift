package import Gatebook
internal import GatebookSystem

/// What a program must know to use a proxy at a port: any program of the machine can connect there.
///
/// It is of this run alone, and is never sent to a server.
package struct Capability: Sendable {
  /// The text that a program sends.
  package let text: String

  /// Makes one of 32 random bytes.
  package init(random: any RandomSource) {
    text = Base64URL.encode(random.bytes(32))
  }

  /// Whether a request shows it: as a bearer token, or as the password of Basic, for programs that
  /// take credentials in a URL; compared in constant time.
  package func isShown(by fields: [HTTPField]) -> Bool {
    let given = ["Proxy-Authorization", "Authorization"].flatMap { fields.values(of: $0) }
    return given.contains { value in
      let parts = value.split(separator: " ", maxSplits: 1)
      guard let scheme = parts.first, let shown = parts.dropFirst().first else { return false }
      switch scheme.lowercased() {
      case "bearer": return isSame(Array(shown.utf8))
      case "basic":
        guard let pair = Base64.decode(shown), let colon = pair.firstIndex(of: 0x3A) else {
          return false
        }
        return isSame(Array(pair[(colon + 1)...]))
      default: return false
      }
    }
  }

  /// Whether a field's value holds it, also as Basic encodes it.
  func isHeld(by value: String) -> Bool {
    value.contains(text)
      || value.split(separator: " ").contains { word in
        Base64.decode(word).map { String(decoding: $0, as: UTF8.self).contains(text) } ?? false
      }
  }

  private func isSame(_ shown: [UInt8]) -> Bool {
    ConstantTime.equal(shown, Array(text.utf8))
  }
}
