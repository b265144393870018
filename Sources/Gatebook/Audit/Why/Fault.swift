/// What of an answer was refused, as an event names it: `idToken.aud`, `issuer`, `answer.time`.
struct Fault {
  private let name: String
  /// The rule that the ID token broke.
  private let rule: String?

  init(_ name: String) {
    self.name = name
    rule = name.hasPrefix("idToken.") ? String(name.dropFirst("idToken.".count)) : nil
  }

  /// It, as the second half of a sentence; `nil` for what says no more than the failure's code.
  var meaning: String? {
    guard let rule else { return Self.meanings[name] }
    switch rule {
    case "missing": return "the server granted tokens, and did not say to whom"
    case "acr", "auth_time-missing", "auth_time-too-long-ago":
      return "the server did not say that the login was as strong as demanded (\(rule))"
    case "sub-changed": return nil
    default:
      return
        "the server's ID token was refused, because \(Self.reasons[rule] ?? Self.any) (\(rule))"
    }
  }

  /// Whether the request has left, and only its answer is missing.
  var isOfAnswer: Bool { ["answer.client", "answer.cut", "answer.time"].contains(name) }

  /// Whether the server had asked for a client certificate and got none, which may be why.
  var isUnshown: Bool { name == "answer.client" }

  /// Whether the server asks for credentials in no way that could be answered.
  var isUnanswerable: Bool { name == "scheme" }

  /// Whether whoever logs in may have named the wrong place, or another app: later it may be somebody in
  /// front of the server who answers so.
  var isOfSettings: Bool { name == "endpoint" || name == "settings" }

  /// What it calls for; `nil` for what the failure's code calls for.
  var advice: Advice? {
    switch name {
    case "idToken.exp", "idToken.nbf", "idToken.iat-in-the-future", "idToken.iat-too-long-ago",
      "idToken.auth_time-in-the-future", "clock":
      .checkClock
    case "idToken.acr", "idToken.auth_time-missing", "idToken.auth_time-too-long-ago": .logIn
    case "idToken.signature", "idToken.kid", "idToken.key.use", "idToken.key.size",
      "idToken.alg.none", "idToken.crit", "idToken.parts", "idToken.header", "idToken.content",
      "idToken.missing", "dpop", "rspauth", "scheme", "scheme.weaker", "userinfo", "userinfo-sub":
      .askServer
    case "client.files", "client.missing", "client.refused": .giveCertificate
    case "account", "label": .logIn
    case "idToken.sub-changed": nil
    case "idToken.size": .askServer
    case "tls.handshake": .askServer
    case "check", "description", "endpoint.missing", "issuer", "keys", "tls.missing",
      _ where rule != nil:
      .checkSettings
    default: nil
    }
  }

  private static let any = "it breaks a rule"

  private static let reasons = [
    "signature": "its signature is not the server's",
    "kid": "the server does not publish the key that it was signed with",
    "alg": "it was signed in a way that is not allowed",
    "alg.none": "it is not signed",
    "iss": "it is in another issuer's name",
    "iss-changed": "it is in another issuer's name than at the login",
    "aud": "it was made for another client",
    "aud-untrusted": "it is also for others that the application does not trust",
    "azp": "it was given to another client",
    "nonce": "it belongs to another login",
    "nonce-missing": "it does not say to which login it belongs",
    "exp": "its time was over",
    "nbf": "its time had not come",
    "iat-in-the-future": "it was made in the future",
    "iat-too-long-ago": "it was made too long ago",
    "iat-before-the-first": "it was made before the login's own",
    "auth_time-changed": "it is of another login than the one before",
    "auth_time-in-the-future": "its login lies in the future",
    "at_hash": "it belongs to another access token",
    "c_hash": "it belongs to another code",
  ]

  private static let meanings = [
    "account": "it was of another kind, or at another server, than the account's logins",
    "answer.iss":
      "the answer of its login page came in another server's name, so its code was not used",
    "answer.iss-missing":
      "the answer of its login page does not say which server it is from, as the server promises, so "
      + "its code was not used",
    "answer.size": "the server's answer was larger than is read",
    "answer.client":
      "the connection broke off before an answer was complete, and the server had asked for a client "
      + "certificate and got none",
    "answer.page":
      "a web page came in place of the server's answer: something between this machine and the server, such "
      + "as a filter, a gateway or the login page of a network, may have sent it",
    "answer.cut": "the connection broke off before an answer was complete",
    "answer.time": "no complete answer came in time",
    "check": "the server asks for a security check that nobody here answers",
    "client.files":
      "the client certificate or its key cannot be read here, so nothing was sent",
    "client.missing": "the server asks for a client certificate, and got none that it takes",
    "client.refused": "the server refused the client certificate",
    "clock": "the server refused the time that the request was signed with",
    "connect": "the server was not reached, so nothing was sent",
    "connect.time": "the server was not reached in time, so nothing was sent",
    "description": "what the server says of itself could not be read",
    "dpop": "the server's tokens are not bound to the account's key, as was demanded",
    "endpoint.missing":
      "neither the settings nor the server say where a page or an endpoint is that the login needs",
    "form.check":
      "the server still refused after the form was sent: the name or the password was wrong, or its cookie "
      + "was not kept",
    "grant": "the answer granted nothing that can be used",
    "issuer": "the server calls itself by another issuer than the one that is set",
    "key.named":
      "the key that was named is not the one that the server shows, so nothing was sent to it",
    "keys": "the server's keys could not be read",
    "label": "another account of the book has the label that was given",
    "proof.nobody": "the server accepted it, and named nobody",
    "proof.public": "the server answered the same without the credentials, so nothing was proved",
    "proof.refused":
      "what is to prove the login did not answer who had logged in either, so nothing was proved",
    "rspauth":
      "the answer did not prove that the server knows the password (rspauth), so it was not used",
    "scheme.weaker":
      "the server asks for the password in a weaker way than the login used, which is never weakened",
    "proxy":
      "a proxy between this machine and the server asks for a name and a password, and let nothing through",
    "redirect.used": "the answer that the redirect brings was used already",
    "redirect.late": "the login that the redirect belongs to had ended",
    "scheme": "the server refuses, and asks for credentials in no way that anybody here can answer",
    "tls.handshake":
      "no TLS connection could be agreed with the server, so nothing was sent: it may speak none that is "
      + "new enough, or ask for a client certificate",
    "tls.missing": "the server's port does not speak TLS, so nothing was sent",
    "userinfo": "what the server says of the user could not be used",
    "userinfo-sub": "what the server says of the user is about another one",
  ]
}
