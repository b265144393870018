/// What of an answer was refused, or how far a request came, as an event names it: `idToken.aud`,
/// `connect`.
///
/// Its words are in one place, ``Fault/meaning(of:)``: errors and the sentences of `why` are made
/// of them.
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

  /// What an error and `why` call a server where they do not name it.
  package static let anyServer = "the server"

  /// The fault in words, as the second half of a sentence such as "The login failed: ...".
  ///
  /// - Parameter server: What the server, or the page of it that was asked, is called.
  /// - Returns: `nil` for what says no more than the failure's code.
  package func meaning(of server: String = anyServer) -> String? {
    if let rule = idTokenRule { return Self.meaning(ofIDToken: rule) }
    return Self.meanings[name]?.split(separator: "%", omittingEmptySubsequences: false)
      .joined(separator: server)
  }

  /// The fault as a sentence of its own.
  ///
  /// - Parameter server: What the server, or the page of it that was asked, is called.
  /// - Returns: It, with a full stop; the name for what has no words.
  package func sentence(of server: String = anyServer) -> String {
    let meaning = meaning(of: server) ?? name
    // An address keeps its letters.
    return meaning.hasPrefix("http") ? meaning + "." : meaning.asSentence
  }

  private static func meaning(ofIDToken rule: String) -> String? {
    switch rule {
    case "missing": "the server granted tokens but no ID token that names the user"
    case "acr", "auth_time-missing", "auth_time-too-long-ago":
      "the server did not confirm that the login was as strong as demanded"
    case "sub-changed": nil
    default: "the server's ID token was refused, because \(reasons[rule] ?? any)"
    }
  }

  private static let any = "it breaks a rule"

  private static let reasons = [
    "signature": "its signature is not the server's",
    "kid": "the server does not publish the key that it was signed with",
    "alg": "it was signed in a way that is not allowed",
    "alg.none": "it is not signed",
    "iss": "it names another issuer",
    "iss-changed": "it names another issuer than at the login",
    "aud": "it was issued for another client",
    "aud-untrusted": "it is also for audiences that the application does not trust",
    "azp": "it was issued to another client",
    "nonce": "it belongs to another login",
    "nonce-missing": "it does not say to which login it belongs",
    "exp": "it has expired",
    "nbf": "it is not valid yet",
    "iat-in-the-future": "it was issued in the future",
    "iat-too-long-ago": "it was issued too long ago",
    "iat-before-the-first": "it was issued before the login's own",
    "auth_time-changed": "it belongs to another login than the one before",
    "auth_time-in-the-future": "its time of login is in the future",
    "at_hash": "it belongs to another access token",
    "c_hash": "it belongs to another code",
  ]

  /// `%` is replaced by the server.
  private static let meanings = [
    "account": "the login used another method, another server or another client than the account's",
    "answer":
      "the answer of % did not follow the protocol: it may be incomplete, or a web page such as a hotel's login "
      + "page",
    "answer.client":
      "the connection to % broke before the answer was complete: the server had asked for a client "
      + "certificate and got none",
    "answer.cut": "the connection to % broke before the answer was complete",
    "answer.iss":
      "the redirect names another server than the one that was asked, so its code was not used",
    "answer.iss-missing":
      "the redirect does not name its server, although the server promises that, so its code was not used",
    "answer.page":
      "a web page came instead of the answer of %: a filter, a gateway or the login page of a network "
      + "may have sent it",
    "answer.size": "the answer of % was too large",
    "answer.time": "no complete answer came from % in time",
    "answer.unreadable":
      "the answer of % could not be read, so the token that was sent may be used up",
    "check": "the server asks for security checks that this application cannot answer",
    "client.files": "the client certificate or its key cannot be used here",
    "client.missing": "% asks for a client certificate and got none that it accepts",
    "client.refused": "% refused the client certificate",
    "clock": "the server refused the time in the signed request",
    "connect": "no connection could be made to %, so the request was not sent",
    "connect.name": "the host name of % could not be resolved, so the request was not sent",
    "connect.proxy":
      "the host name of the proxy could not be resolved, so the request to % was not sent",
    "connect.time": "no connection was made in time to %, so the request was not sent",
    "connect.tls":
      "% accepted the connection but did not answer in TLS, so the request was not sent",
    "description": "the server's metadata could not be read",
    "dpop": "the server's tokens are not bound to the account's key, as was required",
    "endpoint.missing":
      "the login needs an endpoint that neither the settings nor the server name",
    "form.check":
      "the server still refused access after the form was sent: the user name or the password was "
      + "wrong, or its cookie was not kept",
    "grant": "% granted nothing usable",
    "issuer": "the server's issuer is not the configured one",
    "key.named": "% does not have the key that was named, so nothing was sent to it",
    "keys": "the server's keys could not be read",
    "label": "another account has this label",
    "proof.nobody": "the server accepted the login but did not name a user",
    "proof.public": "% answered without any credentials, so it proves no login",
    "proof.refused": "% did not answer with 2xx even after the login, so it proves no login",
    "proxy":
      "a proxy between this machine and % asks for a name and a password",
    "redirect.late": "the login of this redirect had ended",
    "redirect.used": "the answer in this redirect was used already",
    "rspauth":
      "the answer did not prove that the server knows the password (rspauth), so it was not used",
    "scheme": "the server offers no authentication scheme that this login can use",
    "scheme.weaker":
      "the server asks for the password in a weaker way than the login used: a login is never weakened",
    "tls.handshake":
      "no TLS connection could be agreed with %: its TLS may be too old, or it may ask for a client certificate",
    "tls.missing": "the port of % does not speak TLS",
    "userinfo": "the server's answer about the user could not be used",
    "userinfo-sub": "the server's answer about the user names another user, and was not used",
  ]

  /// Whether the request has left, and only its answer is missing.
  package var isOfAnswer: Bool { [.answerClient, .answerCut, .answerTime].contains(self) }

  /// Whether the server had asked for a client certificate and got none, which may be why.
  package var lacksClientCertificate: Bool { self == .answerClient }

  /// Whether a login may have the wrong address or client.
  ///
  /// At a renewal the same answer may come from a proxy.
  package var isOfSettings: Bool { [.endpoint, .settings].contains(self) }
}
