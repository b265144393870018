internal import Gatebook

/// What is wrong with a theme.
struct ThemeFault: Error, Equatable {
  /// A sentence.
  let text: String
  /// The file's name; `nil` for the folder as a whole.
  let file: String?
  /// The line in it, from 1; `nil` where it is not one line's.
  let line: Int?

  init(_ text: String, in file: String? = nil, line: Int? = nil) {
    self.text = text
    self.file = file
    self.line = line
  }

  /// The failure that it is.
  func refusal(of folder: String) -> GatebookError {
    let place = file.map { file in line.map { "\(file), line \($0): " } ?? "\(file): " } ?? ""
    return GatebookError(
      .configurationInvalid,
      "The folder \(folder) is not a theme of the login page. \(place)\(text)",
      kept: "Nothing was sent.",
      remedy:
        "Correct the theme, or use `default` or `flat7`. The article LoginPage describes what a theme has."
    ).with(\.setting, "theme")
  }
}
