/// What a fake MobileFirst server protects, and how: its application configuration.
public struct FakeMobileFirstApplication: Hashable, Sendable {
  /// All security checks.
  public var checks: [FakeSecurityCheck]
  /// Which checks a scope element stands for, none or more; other elements are names of checks.
  public var elements: [String: [String]]
  /// The adapters' protected and public resources.
  public var resources: [FakeAdapterResource]
  /// The longest life of an access token.
  public var maxTokenExpiration: Duration

  /// Makes a configuration.
  ///
  /// - Parameters:
  ///   - checks: All security checks.
  ///   - elements: Which checks a scope element stands for.
  ///   - resources: The adapters' resources.
  ///   - maxTokenExpiration: The longest life of an access token; an hour unless given.
  public init(
    checks: [FakeSecurityCheck], elements: [String: [String]] = [:],
    resources: [FakeAdapterResource] = FakeAdapterResource.samples,
    maxTokenExpiration: Duration = .seconds(3600)
  ) {
    self.checks = checks
    self.elements = elements
    self.resources = resources
    self.maxTokenExpiration = maxTokenExpiration
  }

  /// The check of a name.
  func check(_ name: String) -> FakeSecurityCheck? {
    checks.first { $0.name == name }
  }

  /// The checks of a scope; `nil` when an element is neither mapped nor
  /// the name of a check.
  func selection(for scope: String) -> CheckSelection? {
    var names: [String] = []
    for element in ScopeElements(scope).named {
      guard let mapped = elements[element] ?? (check(element) == nil ? nil : [element]) else {
        return nil
      }
      names += mapped
    }
    var seen: Set<String> = []
    return CheckSelection(names.filter { seen.insert($0).inserted }, from: checks)
  }

  /// The configuration of a server that nobody gave another one.
  ///
  /// | Check | Right answer | Settings |
  /// |---|---|---|
  /// | `UserLogin` | any name with itself as password | `userLoginSample` |
  /// | `PinCode` | pin `1234` | 3 attempts |
  /// | `StepUpUserLogin` | john, john123 ("John Doe") | 3 attempts |
  /// | `StepUpPinCode` | pin `1234`, after `StepUpUserLogin` | 3 attempts |
  ///
  /// The element `accessRestricted` stands for `UserLogin`, `transferPrivilege` for both step-up
  /// checks.
  public static let sample: FakeMobileFirstApplication = {
    let three = FakeSecurityCheckSettings(maxAttempts: 3)
    let john = FakeMobileFirstUser("john", password: "john123", displayName: "John Doe")
    return FakeMobileFirstApplication(
      checks: [
        FakeSecurityCheck("UserLogin", .userLogin(), settings: .userLoginSample),
        FakeSecurityCheck("PinCode", .pin("1234"), settings: three),
        FakeSecurityCheck("StepUpUserLogin", .userLogin(users: [john]), settings: three),
        FakeSecurityCheck(
          "StepUpPinCode", .stepUpPin("1234", dependsOn: "StepUpUserLogin"), settings: three),
      ],
      elements: [
        "accessRestricted": ["UserLogin"],
        "transferPrivilege": ["StepUpUserLogin", "StepUpPinCode"],
      ])
  }()
}

/// One resource of a fake MobileFirst server's adapters.
public struct FakeAdapterResource: Hashable, Sendable {
  /// The path below `adapters/`.
  public var path: String
  /// The scope that a token must cover; empty for any token, `nil` for no token at all.
  public var scope: String?
  /// The text that is answered.
  public var text: String

  /// Makes a resource, which answers GET and POST alike.
  public init(_ path: String, scope: String?, text: String) {
    self.path = path
    self.scope = scope
    self.text = text
  }

  /// `ResourceAdapter/balance`, `19938.80` for `accessRestricted`.
  public static let balance = FakeAdapterResource(
    "ResourceAdapter/balance", scope: "accessRestricted", text: "19938.80")
  /// `ResourceAdapter/publicData`, for everybody.
  public static let publicData = FakeAdapterResource(
    "ResourceAdapter/publicData", scope: nil, text: "This is public data.")
  /// `ResourceAdapter/transfer`, for the step-up scope `transferPrivilege`.
  public static let transfer = FakeAdapterResource(
    "ResourceAdapter/transfer", scope: "transferPrivilege", text: "Transferred.")

  /// The resources of a configuration that names no others.
  public static let samples = [balance, publicData, transfer]
}
