extension FakeMobileFirstApplication {
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
