internal import Gatebook
internal import GatebookSystem

/// A key that is accepted although its certificate has defects, as `--accept-key` names it.
///
/// `sha256/` and 44 characters of Base64, then the defects beyond the usual two, each after a `+`:
/// `sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=+wrongHost+expired`.
struct AcceptedKey: Hashable, Sendable, CustomStringConvertible {
  /// What is accepted without being named: a self-signed certificate.
  static let usual: Set<CertificateDefect> = [.selfSigned, .unknownAuthority]

  let key: KeyHash
  let defects: Set<CertificateDefect>

  /// A key with these defects and the usual ones.
  init(_ key: KeyHash, defects: Set<CertificateDefect>) {
    self.key = key
    self.defects = defects.union(Self.usual)
  }

  /// Reads the value of an option.
  init(_ text: String, _ option: CommandOption) throws(UsageError) {
    // `sha256/` and 32 bytes in Base64; that alphabet has a `+` too, so the length ends the key.
    let rest = text.dropFirst(51)
    guard rest.isEmpty || rest.first == "+" else { throw Self.malformed(option) }
    let key = try Self.key(String(text.prefix(51)), option)
    var defects: Set<CertificateDefect> = []
    for name in rest.split(separator: "+", omittingEmptySubsequences: false).dropFirst() {
      guard let defect = CertificateDefect(rawValue: String(name)) else {
        throw Self.unknown(String(name), option)
      }
      defects.insert(defect)
    }
    self.init(key, defects: defects)
  }

  /// Reads a key alone.
  static func key(_ text: String, _ option: CommandOption) throws(UsageError) -> KeyHash {
    do throws(GatebookError) {
      return try KeyHash(text)
    } catch {
      throw malformed(option)
    }
  }

  /// As it is written on the command line.
  var description: String { key.description + Self.tail(defects) }

  /// The suffix of a key for defects of its certificate; empty for the usual ones.
  static func tail(_ defects: Set<CertificateDefect>) -> String {
    defects.subtracting(usual).sorted.map { "+\($0.rawValue)" }.joined()
  }

  /// The exception for one server.
  func exception(at origin: Origin) -> TrustException {
    TrustException(host: origin.host, port: origin.port, key: key, defects: defects)
  }

  private static func malformed(_ option: CommandOption) -> UsageError {
    UsageError(
      "The value of `\(option.name)` is not the hash of a key.",
      remedy: "Write `sha256/` and 44 characters of Base64, as in the error that named the key.")
  }

  private static func unknown(_ name: String, _ option: CommandOption) -> UsageError {
    let names = CertificateDefect.allCases.map(\.rawValue)
    let meant = NearMiss.nearest(to: name, among: names).map { "Did you mean `\($0)`? " } ?? ""
    return UsageError(
      "`\(Printable.text(name))` in `\(option.name)` is not a certificate defect.",
      remedy: meant + "Defects: \(names.map { "`\($0)`" }.joined(separator: ", ")).")
  }
}
