internal import Gatebook

/// A user as JSON-WS tells it, by release: the same facts, numbers in 6.2 and texts later.
struct PortalUserRecord {
  let user: FakePortalUser
  let version: FakePortalVersion
  /// The user id to tell in place of the right one; `nil` tells the right one.
  var misreported: Int64?

  /// The record, in alphabetical order as a portal sends it.
  var json: PlainJSON {
    let all = (common + contact + login + newer).sorted { $0.name < $1.name }
    return .object(all)
  }

  /// A 64-bit number: a JSON number in 6.2, a text later.
  static func long(_ value: Int64, _ version: FakePortalVersion) -> PlainJSON {
    version == .v62 ? .integer(value) : .string(String(value))
  }

  private var common: [PlainJSON.Member] {
    [
      member("userId", long(misreported ?? user.userID)), member("companyId", long(user.companyID)),
      member("contactId", long(10202)), member("portraitId", long(14809)),
      member("ldapServerId", long(-1)), member("facebookId", long(0)),
      member("uuid", .string("a16f9d4a-9012-4eee-a42b-\(padded(user.userID))")),
      member("status", .integer(0)), member("defaultUser", .bool(false)),
      member("createDate", .integer(1_413_408_478_000)),
      member("modifiedDate", .integer(1_413_408_478_000)),
    ]
  }

  private var contact: [PlainJSON.Member] {
    [
      member("screenName", .string(user.screenName)),
      member("emailAddress", .string(user.emailAddress)),
      member("emailAddressVerified", .bool(true)), member("firstName", .string(user.firstName)),
      member("middleName", .string("")), member("lastName", .string(user.lastName)),
      member("greeting", .string("Welcome \(user.firstName) \(user.lastName)!")),
      member("jobTitle", .string(user.jobTitle)), member("comments", .string("")),
      member("languageId", .string("en_US")), member("timeZoneId", .string("UTC")),
      member("openId", .string("")),
    ]
  }

  private var login: [PlainJSON.Member] {
    [
      member("agreedToTermsOfUse", .bool(true)), member("graceLoginCount", .integer(0)),
      member("failedLoginAttempts", .integer(user.failedLoginAttempts)),
      member("lastFailedLoginDate", date(user.lastFailedLogin)),
      member("lockout", .bool(user.isLockedOut)), member("lockoutDate", date(user.lockedOut)),
      member("loginDate", .integer(1_427_372_894_000)),
      member("lastLoginDate", .integer(1_427_299_352_000)),
      member("loginIP", .string("127.0.0.1")), member("lastLoginIP", .string("127.0.0.1")),
      member("reminderQueryQuestion", .string(user.reminderQueryQuestion)),
      member("reminderQueryAnswer", .string(user.reminderQueryAnswer)),
    ]
  }

  private var newer: [PlainJSON.Member] {
    var members: [PlainJSON.Member] = []
    if version.rawValue >= 70 { members.append(member("mvccVersion", long(7))) }
    if version.rawValue >= 71 { members.append(member("googleUserId", .string(""))) }
    if version.rawValue >= 72 { members.append(member("externalReferenceCode", .string(""))) }
    return members
  }

  private func member(_ name: String, _ value: PlainJSON) -> PlainJSON.Member {
    PlainJSON.Member(name: name, value: value)
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
