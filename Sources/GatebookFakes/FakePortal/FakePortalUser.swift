public import Gatebook

/// One user of a fake portal, password included.
public struct FakePortalUser: Hashable, Sendable {
  /// The portal's id of the user.
  public var userID: Int64
  /// The screen name.
  public var screenName: String
  /// The e-mail address.
  public var emailAddress: String
  /// The password.
  public var password: String
  /// The portal instance that the user belongs to.
  public var companyID: Int64
  /// The first name.
  public var firstName: String
  /// The last name.
  public var lastName: String
  /// The job title; change it to see attributes change.
  public var jobTitle = ""
  /// Whether the user may read others' records.
  public var isAdministrator = false
  /// Whether the user cannot log in, whatever the password.
  public var isLockedOut = false
  /// Wrong passwords since the last right one; the fifth locks the user out.
  public var failedLoginAttempts = 0
  /// When a password was last wrong.
  public var lastFailedLogin: Timestamp?
  /// When the user was locked out.
  public var lockedOut: Timestamp?
  /// What a portal sends although nobody may keep it: search for it in everything that is stored.
  public var reminderQueryQuestion = "what-is-your-father's-middle-name"
  /// What a portal sends although nobody may keep it: search for it in everything that is stored.
  public var reminderQueryAnswer = "SECRET-ANSWER"

  /// Makes a user.
  ///
  /// - Parameters:
  ///   - userID: The portal's id of the user.
  ///   - screenName: The screen name; the e-mail address and the names are made from it.
  ///   - password: The password.
  ///   - companyID: The portal instance.
  public init(_ userID: Int64, _ screenName: String, password: String, companyID: Int64 = 10154) {
    self.userID = userID
    self.screenName = screenName
    self.password = password
    self.companyID = companyID
    emailAddress = "\(screenName)@portal.example.test"
    firstName = screenName.prefix(1).uppercased() + screenName.dropFirst()
    lastName = "Example"
  }

  /// Ada, an ordinary user; her password needs every kind of encoding.
  public static let ada = FakePortalUser(123_456, "ada", password: "p&ss=w+rd: 100%ä")
  /// Ben, an ordinary user.
  public static let ben = FakePortalUser(123_457, "ben", password: "ben's own password")
  /// Cleo, an administrator.
  public static let cleo: FakePortalUser = {
    var user = FakePortalUser(20_199, "cleo", password: "cleo's own password")
    user.isAdministrator = true
    return user
  }()

  /// The users of a fake portal that nobody gave others.
  public static let samples = [ada, ben, cleo]
}

/// One live session of a fake portal.
public struct FakePortalSession: Hashable, Sendable {
  /// The value of `JSESSIONID`.
  public var id: String
  /// The CSRF token.
  public var csrfToken: String
  /// Who is logged in; `nil` for a guest.
  public var userID: Int64?
  /// When the portal last saw it, on its boot-time clock.
  public var lastSeen: Duration
}
