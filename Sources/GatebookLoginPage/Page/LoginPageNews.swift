public import Gatebook

/// What an app should tell the person while a ``LoginPage`` is open.
public enum LoginPageNews: Sendable {
  /// The page was opened for the first time, by a program of this name; `nil` where it is not
  /// known.
  case opened(by: String?)
  /// A login failed; the page shows it, and waits for another try.
  case failed(GatebookError)
  /// A visitor was refused and saw nothing: a sentence, with the name of the program where it is
  /// known.
  ///
  /// At most 16 visits of each kind are named; the book counts the others.
  case refused(String)
}
