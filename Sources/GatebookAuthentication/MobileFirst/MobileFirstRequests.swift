internal import GatebookEvents

/// The requests of the protocol (section 6), as they are sent.
struct MobileFirstRequests {
  static let redirectURI = "https://mfpredirecturi"

  let app: MobileFirstApp

  /// Registers a client, or tells the server of other data of a registered one.
  func registration(
    _ registration: ClientRegistration, updating clientID: String? = nil
  ) throws(GatebookError) -> HTTPRequest {
    let content = ClientRegistration.content(app, deviceID: registration.deviceID)
    let signed = try SignedObject(content, key: registration.key, keyID: clientID)
    let body: Facts = [
      "signedRegistrationData": .object([
        "header": .text(signed.header), "payload": .text(signed.payload),
        "signature": .text(signed.signature),
      ])
    ]
    let route = "registration/v1/self" + (clientID.map { "/\($0)" } ?? "")
    return json(clientID == nil ? "POST" : "PUT", app.url(route), body)
  }

  func preauthorize(
    clientID: String, scope: AuthorizationScope, answers: [String: ChallengeAnswer]
  ) -> HTTPRequest {
    var response = Facts()
    for (check, answer) in answers { response[check] = .object(answer.fields) }
    return json(
      "POST", app.url("preauth/v1/preauthorize"),
      [
        "challengeResponse": .object(response), "client_id": .text(clientID),
        "scope": .text(scope.description),
      ])
  }

  func authorization(clientID: String, scope: AuthorizationScope) -> HTTPRequest {
    let query = FormEncoding.encode([
      ("response_type", "code"), ("client_id", clientID), ("scope", scope.description),
      ("redirect_uri", Self.redirectURI),
    ])
    let base = app.authorizationURL("authorization")
    // A form's body is a valid query: letters, digits and percent-encoded bytes.
    let url = HTTPURL("\(base)?\(query.text)") ?? base
    return HTTPRequest("GET", url, fields: fields, limits: .login)
  }

  func token(
    code: String, of registration: ClientRegistration, at moment: Moment
  ) throws(GatebookError) -> HTTPRequest {
    let assertion = try ClientAssertion(of: registration, code: code, at: moment)
    return form(
      app.authorizationURL("token"),
      assertion.parameters + [
        ("code", code), ("grant_type", "authorization_code"), ("redirect_uri", Self.redirectURI),
      ])
  }

  func logout(
    check: String, of registration: ClientRegistration, at moment: Moment
  ) throws(GatebookError) -> HTTPRequest {
    let assertion = try ClientAssertion(of: registration, code: nil, at: moment)
    return form(
      app.url("preauth/v1/logout"), assertion.parameters + [("security_check", check)])
  }

  private var fields: [HTTPField] {
    [HTTPField("X-Requested-With", "XMLHttpRequest")]
      + (app.language.map { [HTTPField("Accept-Language", $0)] } ?? [])
  }

  private func json(_ method: String, _ url: HTTPURL, _ body: Facts) -> HTTPRequest {
    HTTPRequest(method, url, fields: fields, json: body, limits: .login)
  }

  private func form(_ url: HTTPURL, _ pairs: [(name: String, value: String)]) -> HTTPRequest {
    HTTPRequest(
      "POST", url, fields: fields + [FormEncoding.contentType], body: FormEncoding.encode(pairs),
      limits: .login)
  }
}
