/// The command's own names for what the library's errors name by its API.
enum CommandNames {
  static let names = [
    ("BookReader.open(at:)", "--book"),
    ("BookReader.proof", "gatebook prove"),
    ("BookRecovery", "gatebook recover -o FILE"),
    ("BookVerifier", "gatebook verify"),
    ("BookVerifier.verify(archive:)", "--archive"),
    ("ChallengeResolver", "gatebook help sync"),
    ("KeyFile(path:)", "--key file:PATH"),
    ("LoginOptions.allowsCleartext", "--allow-cleartext"),
    ("LoginOptions.origins", "--allow-origin URL"),
    ("LoginOptions.saveCredentials", "--save-credentials"),
    ("SessionBook.checkpoint()", "gatebook checkpoint"),
    ("SessionBook.finishLogIn", "gatebook login --callback -"),
    ("SessionBook.rebuild(_:)", "gatebook rebuild"),
    ("SessionBook.removeCredentials(of:)", "gatebook credentials remove"),
    ("SessionBook.renewNow(_:)", "gatebook refresh"),
    ("SessionBook.renewNow(_:evenIfUsedUp:)", "gatebook refresh --again"),
    ("SessionBook.send", "gatebook request"),
    ("passwordField", "--password-field"),
    ("setLoginTimeout", "--timeout S"),
    ("trustsS256", "--trust-s256"),
    ("trustedAudiences", "--trust-audience AUD"),
    ("userField", "--user-field"),
  ]

  /// The sentence with commands and options in the place of API.
  static func replacingAPI(in text: String) -> String {
    names.reduce(text) { text, name in text.replacing("`\(name.0)`", with: "`\(name.1)`") }
  }
}
