internal import GatebookEvents

/// What a Liferay login by OAuth 1.0a needs.
struct LiferayOAuth1Login: Sendable {
  /// The portal.
  var portal: LiferayPortal
  /// The application.
  var consumer: OAuth1Consumer
  /// Where the portal sends the browser, or `oob`.
  var callback: String
  /// How temporary credentials are asked for.
  var requestMethod: OAuth1Service.RequestMethod
  /// Whether the portal must confirm the callback.
  var requiresConfirmation: Bool

  /// What the login was asked with; no secrets.
  var settings: Facts {
    [
      "consumerKey": .text(consumer.key), "portal": .object(portal.record),
      "redirectURI": .text(callback), "requestMethod": .text(requestMethod.rawValue),
      "requiresConfirmation": .bool(requiresConfirmation),
    ]
  }

  /// The person before the portal has answered: who logs in says so in the browser.
  var person: Person {
    Person(
      family: LoginMethod.liferayFamily, server: portal.server.origin,
      tenant: String(portal.companyID), userID: "", loginName: "")
  }

  /// The login with the portal's own endpoints.
  ///
  /// - Throws: `configuration.invalid` for what no portal can have.
  func oauth() throws(GatebookError) -> OAuth1Login {
    try portal.check()
    return OAuth1Login(
      service: OAuth1Service(
        requestTokenURL: try portal.url("c/portal/oauth/request_token"),
        authorisationURL: try portal.url("c/portal/oauth/authorize"),
        accessTokenURL: try portal.url("c/portal/oauth/access_token"),
        requestMethod: requestMethod, requiresConfirmation: requiresConfirmation),
      consumer: consumer, callback: callback)
  }
}

extension LiferayOAuth1Login {
  /// Reads what `record` wrote; `nil` for anything else.
  init?(record: Facts) {
    guard let portal = record["portal"]?.object.flatMap({ LiferayPortal(record: $0) }),
      let consumer = record["consumer"]?.object.flatMap({ OAuth1Consumer(record: $0) }),
      let callback = record["callback"]?.text,
      let method = record["requestMethod"]?.text
        .flatMap({ OAuth1Service.RequestMethod(rawValue: $0) }),
      let requiresConfirmation = record["requiresConfirmation"]?.bool
    else { return nil }
    self.init(
      portal: portal, consumer: consumer, callback: callback, requestMethod: method,
      requiresConfirmation: requiresConfirmation)
  }

  /// The login for the vault, secrets included.
  var record: Facts {
    [
      "callback": .text(callback), "consumer": .object(consumer.record),
      "portal": .object(portal.record), "requestMethod": .text(requestMethod.rawValue),
      "requiresConfirmation": .bool(requiresConfirmation),
    ]
  }
}
