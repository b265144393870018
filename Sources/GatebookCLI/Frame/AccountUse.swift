/// What `--account` means to a command; where it means nothing it is refused, not ignored.
enum AccountUse: Sendable {
  /// It names the account that the command is about.
  case choice
  /// The command is about the whole book.
  case wholeBook
  /// The server says whose account it is.
  case login
  /// An argument names the account.
  case argument

  /// Why the option cannot be given; `nil` where it can.
  ///
  /// - Parameter name: The command's name.
  /// - Returns: The error to end with.
  func refusal(by name: String) -> UsageError? {
    switch self {
    case .choice: nil
    case .wholeBook:
      UsageError(
        "`--account` means nothing here: `\(name)` is about the whole book.",
        remedy: "Leave it out.")
    case .login:
      UsageError(
        "`--account` means nothing here: the user who logs in decides which account it is.",
        remedy: "Leave it out; `--label NAME` names the account.")
    case .argument:
      UsageError(
        "`--account` means nothing here: `\(name)` takes the account as its argument.",
        remedy: "See `gatebook help \(name)`.")
    }
  }
}
