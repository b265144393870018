/// Commands inside of a sentence that act on an account.
enum PrintedCommand {
  /// The sentence, whose commands name the account and the book: without them they would act on the current
  /// account of the default book.
  ///
  /// - Parameters:
  ///   - text: The sentence; commands with options of the account stay as they are.
  ///   - options: The options that name both, as they stand.
  /// - Returns: The sentence.
  static func completed(_ text: String, by options: String) -> String {
    text.replacing(
      /`(gatebook (?:refresh(?: --again)?|sync|why|trust list|trust revoke|login --step-up|credentials remove|request))`/
    ) { "`\($0.output.1)\(options)`" }
  }

  /// The text, whose commands name the book: without that they would act on the default book.
  ///
  /// - Parameters:
  ///   - text: Anything for people; commands that name a book, or need none, stay as they are.
  ///   - place: The options that name the book and its key, as they stand; empty for none.
  /// - Returns: The text.
  static func placed(_ text: String, at place: String) -> String {
    guard !place.isEmpty, text.contains("`gatebook ") else { return text }
    return text.replacing(/`gatebook ([^`]+)`/) { match in
      let command = match.output.1
      let needsNone = ["help", "demo", "completions", "verify-proof"].contains {
        command.hasPrefix($0)
      }
      return needsNone || command.contains("--book")
        ? String(match.output.0) : "`gatebook \(command)\(place)`"
    }
  }
}
