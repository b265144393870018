internal import Gatebook

/// A user as JSON-WS tells it, by release: the same facts, numbers in 6.2 and texts later.
struct PortalUserRecord {
  let user: FakePortalUser
  let version: FakePortalVersion

  /// The record, in alphabetical order as a portal sends it.
  var json: PlainJSON {
    let all = [common, contact, login, newer].joined().sorted { $0.key < $1.key }
    return .object(all.map { PlainJSON.Member(name: $0.key, value: $0.value) })
  }

  /// A 64-bit number: a JSON number in 6.2, a text later.
  static func long(_ value: Int64, _ version: FakePortalVersion) -> PlainJSON {
    version == .v62 ? .integer(value) : .string(String(value))
  }

  private var common: [String: PlainJSON] {
    [
      "userId": long(user.userID), "companyId": long(user.companyID),
      "contactId": long(10202), "portraitId": long(14809), "ldapServerId": long(-1),
      "facebookId": long(0),
      "uuid": .string("a16f9d4a-9012-4eee-a42b-\(padded(user.userID))"), "status": 0,
      "defaultUser": false, "createDate": 1_413_408_478_000, "modifiedDate": 1_413_408_478_000,
    ]
  }

  private var contact: [String: PlainJSON] {
    [
      "screenName": .string(user.screenName), "emailAddress": .string(user.emailAddress),
      "emailAddressVerified": true, "firstName": .string(user.firstName), "middleName": "",
      "lastName": .string(user.lastName),
      "greeting": .string("Welcome \(user.firstName) \(user.lastName)!"),
      "jobTitle": .string(user.jobTitle), "comments": "", "languageId": "en_US",
      "timeZoneId": "UTC", "openId": "",
    ]
  }

  private var login: [String: PlainJSON] {
    [
      "agreedToTermsOfUse": true, "graceLoginCount": 0,
      "failedLoginAttempts": .integer(user.failedLoginAttempts),
      "lastFailedLoginDate": date(user.lastFailedLogin), "lockout": .bool(user.isLockedOut),
      "lockoutDate": date(user.lockedOut), "loginDate": 1_427_372_894_000,
      "lastLoginDate": 1_427_299_352_000, "loginIP": "127.0.0.1", "lastLoginIP": "127.0.0.1",
      "reminderQueryQuestion": .string(user.reminderQueryQuestion),
      "reminderQueryAnswer": .string(user.reminderQueryAnswer),
    ]
  }

  private var newer: [String: PlainJSON] {
    var members: [String: PlainJSON] = [:]
    if version.rawValue >= 70 { members["mvccVersion"] = long(7) }
    if version.rawValue >= 71 { members["googleUserId"] = "" }
    if version.rawValue >= 72 { members["externalReferenceCode"] = "" }
    return members
  }

  private func long(_ value: Int64) -> PlainJSON {
    Self.long(value, version)
  }

  private func date(_ moment: Timestamp?) -> PlainJSON {
    moment.map { .integer($0.rawValue / 1000) } ?? .null
  }

  private func padded(_ number: Int64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: max(0, 12 - digits.count)) + digits
  }
}
