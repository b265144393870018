/// Text in lines that a terminal has room for.
enum WrappedText {
  /// Breaks a text at its blanks; only a word that is longer than a line is cut in two.
  ///
  /// - Parameters:
  ///   - text: One line.
  ///   - width: How many columns there are; nothing is broken into less than one.
  /// - Returns: At least one line.
  static func lines(_ text: String, width: Int) -> [String] {
    guard DisplayWidth.of(text) > width else { return [text] }
    return filled(
      text.split(separator: " ").flatMap { pieces($0, width: max(1, width)) }, width: width)
  }

  /// Words in lines that each take as many as there is room for; only a word that is longer than a
  /// line goes beyond its end.
  ///
  /// - Parameters:
  ///   - words: The words, without the blanks between them.
  ///   - width: How many columns there are.
  /// - Returns: At least one line.
  static func filled(_ words: [String], width: Int) -> [String] {
    words.reduce(into: [""]) { lines, word in
      let last = lines.count - 1
      let longer = lines[last].isEmpty ? word : "\(lines[last]) \(word)"
      if lines[last].isEmpty || DisplayWidth.of(longer) <= width {
        lines[last] = longer
      } else {
        lines.append(word)
      }
    }
  }

  /// A message for a terminal: it is broken at blanks, but never inside of a command, which is to
  /// be pasted.
  ///
  /// - Parameters:
  ///   - text: Lines; a command is between backticks.
  ///   - width: How many columns the terminal has; `nil` for any number.
  /// - Returns: The text; continuation lines are aligned with the beginning of their line.
  static func message(_ text: String, width: Int?) -> String {
    guard let width, width >= narrowest else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { broken($0, width) }.joined(separator: "\n")
  }

  private static func broken(_ line: Substring, _ width: Int) -> String {
    guard DisplayWidth.of(String(line)) > width else { return String(line) }
    let margin = String(line.prefix { $0 == " " })
    return filled(words(line.dropFirst(margin.count)), width: width - margin.count)
      .map { margin + $0 }.joined(separator: "\n")
  }

  /// The words of a line; the text between backticks is one.
  private static func words(_ line: Substring) -> [String] {
    var words: [String] = []
    var isCommand = false
    for part in line.split(separator: " ") {
      if isCommand { words[words.count - 1] += " \(part)" } else { words.append(String(part)) }
      if part.count(where: { $0 == "`" }) % 2 == 1 { isCommand.toggle() }
    }
    return words
  }

  /// A paragraph whose further lines are aligned with the beginning of its text.
  ///
  /// - Parameters:
  ///   - lead: The text before it, in the first line only.
  ///   - text: One line.
  ///   - width: How many columns the terminal has; `nil` for any number.
  /// - Returns: The lines.
  static func paragraph(_ lead: String, _ text: String, width: Int?) -> [String] {
    let indent = DisplayWidth.of(lead)
    // Beside a lead that takes the line there is no room to write in.
    guard let width, width >= indent + narrowest else { return [lead + text] }
    let blanks = String(repeating: " ", count: indent)
    return lines(text, width: width - indent).enumerated().map { number, line in
      (number == 0 ? lead : blanks) + line
    }
  }

  private static let narrowest = 20

  private static func pieces(_ word: Substring, width: Int) -> [String] {
    guard DisplayWidth.of(String(word)) > width else { return [String(word)] }
    var pieces: [String] = [""]
    var room = width
    for character in word {
      let columns = DisplayWidth.of(String(character))
      if columns > room, pieces.last?.isEmpty == false {
        pieces.append("")
        room = width
      }
      pieces[pieces.count - 1].append(character)
      room -= columns
    }
    return pieces
  }
}
