/// What of an answer was refused, or how far a request came, as an event names it: `idToken.aud`, `connect`.
///
/// Its words stand in one place, ``Fault/meaning(of:)``: errors and the sentences of `why` are made of them.
package struct Fault: Hashable, Sendable {
  /// Of `A-Z a-z 0-9 _ . -`; a newer version's may be any.
  package let name: String

  /// Takes the name that an event or an error has.
  package init(_ name: String) { self.name = name }

  /// The rule that an ID token broke, such as `aud`; `nil` where it is about something else.
  package var idTokenRule: String? {
    name.hasPrefix(Self.idTokenPrefix) ? String(name.dropFirst(Self.idTokenPrefix.count)) : nil
  }

  /// The rule of an ID token, by its name.
  package static func idToken(_ rule: String) -> Fault { Fault(idTokenPrefix + rule) }

  private static let idTokenPrefix = "idToken."

  /// The server is none of the account's, or the login was of another kind.
  package static let account = Fault("account")
  /// The answer is none of the protocol.
  package static let answer = Fault("answer")
  /// The connection broke after the server had asked for a client certificate.
  package static let answerClient = Fault("answer.client")
  /// The connection broke.
  package static let answerCut = Fault("answer.cut")
  /// A redirect that names another issuer.
  package static let answerIssuer = Fault("answer.iss")
  /// A redirect that names no issuer.
  package static let answerIssuerMissing = Fault("answer.iss-missing")
  /// A web page in place of an answer.
  package static let answerPage = Fault("answer.page")
  /// An answer that is too large.
  package static let answerSize = Fault("answer.size")
  /// An answer that did not come in time.
  package static let answerTime = Fault("answer.time")
  /// An answer that cannot be read and may have used up what was sent.
  package static let answerUnreadable = Fault("answer.unreadable")
  /// A security check that nobody answers.
  package static let check = Fault("check")
  /// Files of a client certificate that are of no use.
  package static let clientFiles = Fault("client.files")
  /// A client certificate that the server misses.
  package static let clientMissing = Fault("client.missing")
  /// A client certificate that the server refuses.
  package static let clientRefused = Fault("client.refused")
  /// A clock that the server does not accept.
  package static let clock = Fault("clock")
  /// No connection.
  package static let connect = Fault("connect")
  /// No address.
  package static let connectName = Fault("connect.name")
  /// A proxy without an address.
  package static let connectProxy = Fault("connect.proxy")
  /// No connection in time.
  package static let connectTime = Fault("connect.time")
  /// A connection over which no TLS came about in time.
  package static let connectTLS = Fault("connect.tls")
  /// A description of a server that cannot be read.
  package static let description = Fault("description")
  /// Tokens that are not bound to a key.
  package static let dpop = Fault("dpop")
  /// Another protocol than the endpoint's.
  package static let endpoint = Fault("endpoint")
  /// An endpoint that nobody names.
  package static let endpointMissing = Fault("endpoint.missing")
  /// A form that was shown again.
  package static let formCheck = Fault("form.check")
  /// An answer that grants nothing.
  package static let grant = Fault("grant")
  /// Another issuer than the one that is set.
  package static let issuer = Fault("issuer")
  /// A key that was named wrongly.
  package static let keyNamed = Fault("key.named")
  /// Keys that cannot be read.
  package static let keys = Fault("keys")
  /// A label that another account has.
  package static let label = Fault("label")
  /// A login that names nobody.
  package static let proofNobody = Fault("proof.nobody")
  /// A page that answers everybody.
  package static let proofPublic = Fault("proof.public")
  /// A page that answers nobody.
  package static let proofRefused = Fault("proof.refused")
  /// A proxy that wants credentials.
  package static let proxy = Fault("proxy")
  /// A redirect whose login has ended.
  package static let redirectLate = Fault("redirect.late")
  /// A redirect that was used already.
  package static let redirectUsed = Fault("redirect.used")
  /// A false proof that the server knows the password.
  package static let rspauth = Fault("rspauth")
  /// No scheme that can be answered.
  package static let scheme = Fault("scheme")
  /// A weaker scheme than the login's.
  package static let schemeWeaker = Fault("scheme.weaker")
  /// Settings that do not fit.
  package static let settings = Fault("settings")
  /// No TLS in common.
  package static let tlsHandshake = Fault("tls.handshake")
  /// A port without TLS.
  package static let tlsMissing = Fault("tls.missing")
  /// A page about the user that cannot be used.
  package static let userInfo = Fault("userinfo")
  /// A page about another user.
  package static let userInfoSubject = Fault("userinfo-sub")
}
