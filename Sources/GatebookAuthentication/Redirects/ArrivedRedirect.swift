internal import GatebookCrypto
package import GatebookEvents

/// A redirect as it arrived: at a loopback port, or handed in by the app.
package struct ArrivedRedirect: Sendable {
  /// Its parameters.
  package let fields: FormFields
  private let base: [UInt8]

  /// Reads a redirect's URI; `nil` for what is no absolute URI, is longer than 64 KiB or has a
  /// broken query.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count <= 64 << 10, bytes.contains(.colon),
      !bytes.contains(where: { $0.isControl || $0 == .blank })
    else { return nil }
    let end = Self.endOfBase(bytes)
    let query = bytes[end...].dropFirst().prefix { $0 != UInt8(ascii: "#") }
    guard let fields = FormFields(decoding: query) else { return nil }
    self.fields = fields
    base = Self.normalized(Array(bytes[..<end]))
  }

  /// Whether it arrived where a login awaits one: same scheme, host, port and path.
  package func isAt(_ awaited: AwaitedRedirect) -> Bool {
    let bytes = Array(awaited.uri.utf8)
    return Self.normalized(Array(bytes[..<Self.endOfBase(bytes)])) == base
  }

  /// Whether it belongs to a login; the time taken tells nothing about the secret.
  package func answers(_ awaited: AwaitedRedirect) -> Bool {
    guard let value = fields[awaited.key] else { return false }
    return ConstantTime.equal(Array(value.utf8), Array(awaited.value.utf8))
  }

  /// Whether it tells the person's refusal without telling of which login.
  ///
  /// RFC 5849 section 2.2 describes no refusal, and some servers send an error without the token. A
  /// refusal of OAuth 2 always names its login (RFC 6749 section 4.1.2.1).
  package func isNamelessRefusal(of awaited: AwaitedRedirect) -> Bool {
    awaited.key == "oauth_token" && fields[awaited.key] == nil && fields[awaited.codeName] == nil
      && ["error", "oauth_problem"].contains { fields[$0] != nil }
  }

  private static func endOfBase(_ bytes: [UInt8]) -> Int {
    bytes.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? bytes.count
  }

  /// Equal URLs in one form; a private scheme's URI as it is.
  private static func normalized(_ bytes: [UInt8]) -> [UInt8] {
    HTTPURL(bytes.text).map { Array($0.description.utf8) } ?? bytes
  }
}

/// The redirect that ends a person's visit to the server's page, as a login awaits it.
package struct AwaitedRedirect: Hashable, Sendable {
  /// Where the server sends the browser: an `http` URL on a loopback address, a URI with the app's
  /// own scheme, or `oob` when the person types a code instead.
  package var uri: String
  /// The parameter that tells logins apart: `state`, or `oauth_token` in OAuth 1.0a.
  package var key: String
  /// What that parameter must be; secret.
  package var value: String
  /// The parameter that carries the code: `code` or `oauth_verifier`.
  package var codeName: String

  /// The URI of a login whose person types a code that the server shows (RFC 5849 section 2.1).
  package static let outOfBand = "oob"

  /// What stands for a code that is typed: ``outOfBand``, and what servers of OAuth 2 want instead.
  package static let typedURIs = [outOfBand, "urn:ietf:wg:oauth:2.0:oob"]
}

extension AwaitedRedirect: StoredRecord {
  /// What is awaited.
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    codeName = try facts.required("codeName", kept?.codeName)
    key = try facts.required("key", kept?.key)
    uri = try facts.required("uri", kept?.uri)
    value = try facts.required("value", kept?.value)
  }
}
