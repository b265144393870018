/// How a fake gateway behaves.
public struct FakeGatewaySwitches: Hashable, Sendable {
  /// The body of a 401 (inferred: no documentation says which).
  public enum RefusalBody: Hashable, Sendable, CaseIterable {
    /// A page, as a servlet container has it.
    case html
    /// A JSON object.
    case json
    /// Nothing.
    case empty
  }

  /// What becomes of a login.
  public enum Login: Hashable, Sendable {
    /// The user table decides.
    case regular
    /// This status with a page, whatever the password; nothing is begun.
    case status(Int)
    /// A right password begins a session and gets 200, but is not told the session's id.
    case withoutSessionID
    /// A right password gets 200 with a page in place of JSON; nothing is begun.
    case page
  }

  /// What becomes of a logout.
  public enum Logout: Hashable, Sendable {
    /// 200, or 404 for an unknown id (inferred).
    case regular
    /// This status: one from 200 to 299 ends the session, any other leaves it as it is.
    case status(Int)
  }

  /// What becomes of a login.
  public var login = Login.regular
  /// What becomes of a logout.
  public var logout = Logout.regular
  /// The body of a 401.
  public var refusalBody = RefusalBody.html
  /// Whether the answer to a login has an `id`.
  public var tellsID = true
  /// Whether a logout gets 401 without the cookie that the session's own login set.
  public var demandsCookie = false

  /// Makes switches as most deployments have them.
  public init() {}
}
