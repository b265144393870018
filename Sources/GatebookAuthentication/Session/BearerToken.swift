public import GatebookCrypto
public import GatebookEvents

/// An access token (RFC 6750), for apps that send their own requests.
public struct BearerToken: Sendable {
  /// The token; it is a secret.
  public let value: Secret
  /// When it expires, by the wall clock; `nil` if the server did not say: use it until it is
  /// rejected.
  public let expiresAt: Timestamp?
  /// Its scopes; empty if the server did not say.
  public let scopes: [String]
  /// Whether the server said what it granted, be it nothing.
  private let isGrantKnown: Bool
  /// Whether it is on disk; `false` if the disk was full: it can be used, and is saved as soon as
  /// there is space.
  public package(set) var isRecorded = true

  init(_ tokens: OAuth2Tokens, since renewed: Timestamp) {
    value = tokens.access
    expiresAt = tokens.lifetime.map { renewed + $0 }
    isGrantKnown = tokens.scope != nil
    scopes = tokens.scope.map { $0.split(separator: " ").map(String.init) } ?? []
  }

  /// Those of some scopes that the token is not good for, in their order; none where the server did
  /// not say what it granted.
  package func missing(_ wanted: [String]) -> [String] {
    guard isGrantKnown else { return [] }
    // RFC 6749 section 3.3: "case-sensitive strings".
    return wanted.filter { name in !scopes.contains { $0.utf8.elementsEqual(name.utf8) } }
  }
}

extension HTTPRequest {
  /// The request with this field and no other of its name: what an app had set is dropped.
  func replacing(_ field: HTTPField) -> HTTPRequest {
    var request = self
    request.fields.removeAll { $0.name.equalsIgnoringCase(field.name) }
    request.fields.append(field)
    return request
  }

  /// The request with the jar's cookies, and no others: cookies of two sessions never mix.
  package func carrying(_ jar: CookieJar, at moment: Moment) -> HTTPRequest {
    guard let cookies = jar.header(for: url, at: moment.wall) else { return self }
    return replacing(HTTPField("Cookie", cookies))
  }
}
