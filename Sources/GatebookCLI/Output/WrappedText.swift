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
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      let longer = line.isEmpty ? String(word) : "\(line) \(word)"
      guard DisplayWidth.of(longer) > width else {
        line = longer
        continue
      }
      if !line.isEmpty { lines.append(line) }
      var pieces = pieces(word, width: max(1, width))
      line = pieces.popLast() ?? ""
      lines += pieces
    }
    return line.isEmpty && !lines.isEmpty ? lines : lines + [line]
  }

  /// A paragraph whose further lines stand under the beginning of its text.
  ///
  /// - Parameters:
  ///   - lead: What stands before the text, in the first line alone.
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
