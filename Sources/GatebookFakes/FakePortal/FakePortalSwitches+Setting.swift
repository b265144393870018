extension FakePortalSwitches {
  /// Sets a switch by the name that the admin protocol uses; `false` when the name or value is not
  /// one.
  public mutating func set(_ name: String, to value: String) -> Bool {
    switch name {
    case "version": assign(Int(value).flatMap { FakePortalVersion(rawValue: $0) }, to: \.version)
    case "clockSkew": assign(Int(value).map { .seconds($0) }, to: \.clockSkew)
    case "badBasic": assign(["guest": false, "401": true][value], to: \.refusesBadBasic)
    case "omitToken": assign(Bool(value), to: \.omitsToken)
    case "tokenLength": assign(Int(value), to: \.tokenLength)
    case "renewOnRedirect": assign(Bool(value), to: \.renewsSessionOnRedirect)
    case "csrfForLogin": assign(Bool(value), to: \.needsTokenForLogin)
    case "csrfForBasic": assign(Bool(value), to: \.needsTokenForBasic)
    case "csrfAsHTML": assign(Bool(value), to: \.refusesTokenAsHTML)
    case "front": setFront(value)
    case "frontSchemes": setFrontSchemes(value)
    case "sessionInactivity": assign(Int(value).map { .seconds($0) }, to: \.sessionInactivity)
    case "loginName": assign(FakePortalLoginName(rawValue: value), to: \.loginName)
    case "passwordCookie": assign(Bool(value), to: \.setsPasswordCookie)
    case "uuidCookie": assign(Bool(value), to: \.setsUUIDCookie)
    case "screensPlugin": assign(Bool(value), to: \.hasScreensPlugin)
    default: setOAuth(name, to: value)
    }
  }

  private mutating func setOAuth(_ name: String, to value: String) -> Bool {
    switch name {
    case "badBearer": assign(["guest": true, "401": false][value], to: \.takesBadBearerForGuest)
    case "rotate": assign(Bool(value), to: \.rotatesRefreshToken)
    case "refreshGrace": assign(Int(value).map { .seconds($0) }, to: \.refreshTokenGrace)
    case "endAccessOnRefresh": assign(Bool(value), to: \.endsAccessTokenOnRefresh)
    case "omitRefreshToken": assign(Bool(value), to: \.omitsRefreshToken)
    case "omitExpiresIn": assign(Bool(value), to: \.omitsExpiresIn)
    case "emptyBadClient": assign(Bool(value), to: \.emptyRefusalOfBadClient)
    case "revocation": assign(Bool(value), to: \.hasRevocation)
    case "accessLifetime": assign(Int(value).map { .seconds($0) }, to: \.accessTokenLifetime)
    case "refreshLifetime": assign(Int(value).map { .seconds($0) }, to: \.refreshTokenLifetime)
    case "badTimestamp":
      assign(["400": false, "401": true][value], to: \.refusesTimestampWith401)
    case "omitProblem": assign(Bool(value), to: \.omitsOAuthProblem)
    case "callbackConfirmed":
      assign(.some(value == "off" ? nil : value), to: \.callbackConfirmation)
    default: false
    }
  }

  private mutating func assign<Value>(
    _ value: Value?, to property: WritableKeyPath<Self, Value>
  ) -> Bool {
    guard let value else { return false }
    self[keyPath: property] = value
    return true
  }

  private mutating func setFrontSchemes(_ value: String) -> Bool {
    let schemes = value.split(separator: ",").map { FakePortalFront.Scheme(rawValue: String($0)) }
    guard front != nil, !schemes.isEmpty, !schemes.contains(nil) else { return false }
    front?.schemes = schemes.compactMap(\.self)
    return true
  }

  private mutating func setFront(_ value: String) -> Bool {
    guard value != "off" else {
      front = nil
      return true
    }
    guard let colon = value.firstIndex(of: ":") else { return false }
    let password = value[value.index(after: colon)...]
    front = FakePortalFront(name: String(value[..<colon]), password: String(password))
    return true
  }
}
