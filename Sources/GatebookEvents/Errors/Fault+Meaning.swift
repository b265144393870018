extension Fault {
  /// What an error and `why` call a server where they do not name it.
  package static let anyServer = "the server"

  /// The fault in words, as the second half of a sentence such as "The login failed: ...".
  ///
  /// - Parameter server: What the server, or the page of it that was asked, is called.
  /// - Returns: `nil` for what says no more than the failure's code.
  package func meaning(of server: String = anyServer) -> String? {
    if let rule = idTokenRule { return Self.meaning(ofIDToken: rule) }
    return Self.meanings[name]?.replacing("%", with: server)
  }

  /// The fault as a sentence of its own.
  ///
  /// - Parameter server: What the server, or the page of it that was asked, is called.
  /// - Returns: It, with a full stop; the name for what has no words.
  package func sentence(of server: String = anyServer) -> String {
    let meaning = meaning(of: server) ?? name
    // An address stands as it is.
    return meaning.hasPrefix("http") ? meaning + "." : meaning.asSentence
  }

  private static func meaning(ofIDToken rule: String) -> String? {
    switch rule {
    case "missing": "the server granted tokens, and did not say to whom"
    case "acr", "auth_time-missing", "auth_time-too-long-ago":
      "the server did not say that the login was as strong as demanded"
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

  /// `%` stands for the server.
  private static let meanings = [
    "account": "the login was of another kind, or at another server, than the account's own",
    "answer":
      "the answer of % was not one of this protocol: it may have been cut short, or be a page such as "
      + "a hotel's network shows",
    "answer.client":
      "the connection to % broke before the answer was complete: the server had asked for a client "
      + "certificate, and got none",
    "answer.cut": "the connection to % broke before the answer was complete",
    "answer.iss":
      "the redirect came in another server's name than the one that was asked, so its code was not "
      + "used",
    "answer.iss-missing":
      "the redirect does not say which server it is from, as the server promises, so its code was not "
      + "used",
    "answer.page":
      "a web page came in place of the answer of %: something on the way there, such as a filter, a "
      + "gateway or the login page of a network, may have sent it",
    "answer.size": "the answer of % was larger than is read",
    "answer.time": "no complete answer came from % in time",
    "answer.unreadable": "the answer of % could not be read, so what was sent may be used up",
    "check": "the server asks for security checks that nobody here answers",
    "client.files": "the client certificate or its key cannot be used here",
    "client.missing": "% asks for a client certificate, and got none that it accepts",
    "client.refused": "% refused the client certificate",
    "clock": "the server refused the time that the request was signed with",
    "connect": "no connection could be made to %, so the request was not sent",
    "connect.name": "there is no address for %, so the request was not sent",
    "connect.proxy": "the proxy has no address, so the request to % was not sent",
    "connect.time": "no connection was made in time to %, so the request was not sent",
    "description": "what the server says of itself could not be read",
    "dpop": "the server's tokens are not bound to the account's key, as was demanded",
    "endpoint.missing":
      "neither the settings nor the server say where a page or an endpoint is that the login needs",
    "form.check":
      "the server still refused after the form was sent: the name or the password was wrong, or its cookie "
      + "was not kept",
    "grant": "% granted nothing that can be used",
    "issuer": "the server calls itself by another issuer than the one that is set",
    "key.named": "the key that was named is not the one that % shows, so nothing was sent to it",
    "keys": "the server's keys could not be read",
    "label": "another account has this label",
    "proof.nobody": "the server accepted the login, and named nobody",
    "proof.public": "% answered without any credentials, so it proves no login",
    "proof.refused": "% did not answer with 2xx after the login either, so it proves no login",
    "proxy":
      "a proxy between this machine and % asks for a name and a password",
    "redirect.late": "the login that the redirect belongs to had ended",
    "redirect.used": "the answer that the redirect brings was used already",
    "rspauth":
      "the answer did not prove that the server knows the password (rspauth), so it was not used",
    "scheme": "the server refuses, and asks for credentials in no way that anybody here can answer",
    "scheme.weaker":
      "the server asks for the password in a weaker way than the login used, which is never weakened",
    "tls.handshake":
      "no TLS connection could be agreed with %: it may speak none that is new enough, or ask for a "
      + "client certificate",
    "tls.missing": "the port of % does not speak TLS",
    "userinfo": "what the server says of the user could not be used",
    "userinfo-sub": "the server's page about the user is about another one, and was not used",
  ]
}
