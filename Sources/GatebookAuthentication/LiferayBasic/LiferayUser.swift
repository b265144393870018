/// How a Liferay login with HTTP Basic identifies the user; it must match the portal's
/// configuration.
///
/// Source: Login Screenlet, `basicAuthMethod`.
public enum LiferayUser: Hashable, Sendable {
  /// By email address, the portals' default.
  case email(String)
  /// By screen name.
  case screenName(String)
  /// By user id; not 0.
  case userID(Int64)
}

extension LiferayUser {
  /// The user part of the credentials.
  var name: String {
    switch self {
    case .email(let name), .screenName(let name): name
    case .userID(let id): String(id)
    }
  }

  /// The name of the kind: `email`, `screenName` or `userId`.
  var kind: String {
    switch self {
    case .email: "email"
    case .screenName: "screenName"
    case .userID: "userId"
    }
  }

  /// Reads a kind and a name back; `nil` for another kind or an id that is no number.
  init?(kind: String, name: String) {
    switch kind {
    case "email": self = .email(name)
    case "screenName": self = .screenName(name)
    case "userId":
      guard let id = Int64(name) else { return nil }
      self = .userID(id)
    default: return nil
    }
  }

  /// Whether the portal must be told its instance too.
  var needsCompanyID: Bool {
    switch self {
    case .email, .screenName: true
    case .userID: false
    }
  }

  /// The command that reads this user's record.
  func command(companyID: Int64) -> LiferayCommand {
    switch self {
    case .email(let email): .user(email: email, companyID: companyID)
    case .screenName(let name): .user(screenName: name, companyID: companyID)
    case .userID(let id): .user(id: id)
    }
  }
}
