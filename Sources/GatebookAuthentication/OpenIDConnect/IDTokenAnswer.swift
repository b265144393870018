package import GatebookCrypto

/// The answer that an ID token came with.
package enum IDTokenAnswer: Sendable {
  /// The answer to a login.
  case login(Login)
  /// The answer to a refresh, what the login's own ID token said, and the new access token.
  case refresh(first: IDTokenClaims, accessToken: Secret?)

  /// What was asked for in a login, and what came along.
  package struct Login: Sendable {
    /// The nonce that was sent; `nil` if none was.
    package var nonce: String?
    /// `max_age` that was sent.
    package var maximumAge: Duration?
    /// The `acr` values that were asked for as essential; none means any.
    package var contextClasses: [String]
    /// The access token of the same answer.
    package var accessToken: Secret?
    /// The code that was redeemed, or that came in the same redirect.
    package var code: Secret?
    /// Whether the ID token itself came through the browser: then the hashes are required.
    package var cameThroughBrowser: Bool

    /// Makes the description of an answer.
    package init(
      nonce: String?, maximumAge: Duration? = nil, contextClasses: [String] = [],
      accessToken: Secret? = nil, code: Secret? = nil, cameThroughBrowser: Bool = false
    ) {
      self.nonce = nonce
      self.maximumAge = maximumAge
      self.contextClasses = contextClasses
      self.accessToken = accessToken
      self.code = code
      self.cameThroughBrowser = cameThroughBrowser
    }
  }
}

/// What a check of a server's signed word came to.
package enum IDTokenVerdict<Content: Sendable>: Sendable {
  /// Every rule was kept.
  case accepted(Content)
  /// The key is none of those at hand: fetch the issuer's keys once more and check again; if it is
  /// unknown still, the error is that of ``JSONWebTokenRefusal/unknownKey``.
  case unknownKey
  /// A rule was broken.
  case refused(IDTokenRefusal)

  init(_ check: () throws(IDTokenRefusal) -> Content) {
    do throws(IDTokenRefusal) {
      self = .accepted(try check())
    } catch .token(.unknownKey) {
      self = .unknownKey
    } catch {
      self = .refused(error)
    }
  }
}

extension IDTokenVerdict: Equatable where Content: Equatable {}
