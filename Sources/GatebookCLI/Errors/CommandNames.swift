internal import GatebookSystem

/// The command's own names for what the library's errors name by its API.
enum CommandNames {
  static let names = [
    ("BookReader.open(at:)", "--book"),
    ("BookReader.proof", "gatebook prove"),
    ("BookRecovery", "gatebook recover -o FILE"),
    ("BookShipment", "gatebook ship"),
    ("BookVerifier", "gatebook verify"),
    ("BookVerifier.verify(archive:)", "--archive"),
    ("ChallengeResolver", "gatebook help sync"),
    ("FleetReader.accounts", "gatebook fleet accounts"),
    ("FleetReader.books()", "gatebook fleet books"),
    ("FleetReader.tally()", "gatebook fleet stats --by kind"),
    ("FleetSchema.create", "gatebook fleet init"),
    ("FleetScope.book", "--book"),
    ("FleetScope.branch", "--branch"),
    ("FleetShards.servers()", "gatebook fleet shards"),
    ("FleetVerifier", "gatebook fleet verify"),
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

/// Commands inside of a sentence that act on an account.
enum PrintedCommand {
  /// The sentence, whose commands name the account and the book: without them they would act on the
  /// current account of the default book.
  ///
  /// - Parameters:
  ///   - text: The sentence; commands with options of the account stay as they are.
  ///   - options: The options that name both, ready to print.
  /// - Returns: The sentence.
  static func completed(_ text: String, by options: String) -> String {
    let commands =
      "refresh( --again)?|sync|why|trust list|trust revoke|login --step-up|credentials remove|request"
    return Pattern("`(gatebook (\(commands)))`").replace(in: text) { match in
      "`\(match[1] ?? "")\(options)`"
    }
  }

  /// The text, whose commands name the book: without that they would act on the default book.
  ///
  /// - Parameters:
  ///   - text: Anything for people; commands that name a book, or need none, stay as they are.
  ///   - place: The options that name the book and its key, ready to print; empty for none.
  /// - Returns: The text.
  static func placed(_ text: String, at place: String) -> String {
    // Most lines have no command, and the search for one takes longer than to print them.
    guard !place.isEmpty, text.utf8.contains(UInt8(ascii: "`")), text.contains("`gatebook ")
    else { return text }
    return Pattern("`gatebook ([^`]+)`").replace(in: text) { match in
      let command = match[1] ?? ""
      let needsNone = ["help", "demo", "completions", "fleet", "verify-proof"].contains {
        command.hasPrefix($0)
      }
      return needsNone || command.contains("--book")
        ? String(match.whole) : "`gatebook \(command)\(place)`"
    }
  }
}
