/// Commands inside of a sentence that act on an account.
enum PrintedCommand {
  /// The sentence, whose commands name the account and the book: without them they would act on the current
  /// account of the default book.
  ///
  /// - Parameters:
  ///   - text: The sentence; commands with options of the account stay as they are.
  ///   - options: The options that name both, as they stand.
  ///   - place: The options that name the book, as they stand.
  /// - Returns: The sentence.
  static func completed(_ text: String, by options: String, at place: String) -> String {
    text.replacing(ofAccount) { "`\($0.output.1)\(options)`" }
      .replacing(ofBook) { "`\($0.output.1)\(place)`" }
  }

  private nonisolated(unsafe) static let ofAccount =
    /`(gatebook (?:refresh(?: --again)?|sync|why|trust list|trust revoke|login --step-up|credentials remove|request))`/
  private nonisolated(unsafe) static let ofBook =
    /`(gatebook (?:recover -o FILE|verify|rebuild|checkpoint|prove|doctor|accounts|login --callback -))`/
}
