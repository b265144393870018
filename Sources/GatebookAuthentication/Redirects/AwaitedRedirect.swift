package import GatebookEvents

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

  /// Makes an awaited redirect.
  package init(uri: String, key: String, value: String, codeName: String) {
    self.uri = uri
    self.key = key
    self.value = value
    self.codeName = codeName
  }

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
