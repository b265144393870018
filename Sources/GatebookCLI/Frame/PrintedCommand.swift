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
    guard !options.isEmpty else { return text }
    return text.replacing(
      /`(gatebook (?:refresh(?: --again)?|sync|why|trust list|trust revoke|login --step-up))`/
    ) { "`\($0.output.1)\(options)`" }
  }
}
