/// A command of a shell's block: its words as a shell reads them, and where it begins.
struct ShellLine {
  let line: Int
  let words: [String]

  /// The commands of a text in their order, those of `$(…)` before the one that they belong to.
  ///
  /// It knows what documents use: quotes, comments, `\` at a line's end, `&&`, `|`, redirections
  /// and `$(…)`.
  static func commands(in text: String) -> [ShellLine] {
    var reader = Reader(characters: Array(text), line: 1)
    reader.read(isNested: false)
    return reader.commands
  }

  private struct Reader {
    let characters: [Character]
    var index = 0
    var line: Int
    var commands: [ShellLine] = []

    private var words: [String] = []
    private var word: String?
    private var start: Int?
    /// The next word names a file.
    private var isRedirected = false

    init(characters: [Character], line: Int) {
      self.characters = characters
      self.line = line
    }

    private var next: Character? { index < characters.count ? characters[index] : nil }

    mutating func read(isNested: Bool) {
      var quote: Character?
      while let character = next {
        index += 1
        switch character {
        case "\\" where quote != "'":
          guard let escaped = next else { continue }
          index += 1
          if escaped == "\n" { line += 1 } else { add(escaped) }
        case quote: quote = nil
        case "$" where quote != "'" && next == "(":
          index += 1
          substitute()
        case _ where quote != nil: add(character)
        case "'", "\"": (quote, word) = (character, word ?? "")
        case ")" where isNested:
          endCommand()
          return
        case "#" where word == nil:
          while let passed = next, passed != "\n" { index += 1 }
        case " ", "\t": endWord()
        case "\n", ";", "&", "|": endCommand()
        case "<", ">": redirect()
        default: add(character)
        }
        if character == "\n" { line += 1 }
      }
      endCommand()
    }

    private mutating func add(_ character: Character) {
      start = start ?? line
      word = (word ?? "") + String(character)
    }

    private mutating func substitute() {
      var inner = Reader(characters: characters, line: line)
      inner.index = index
      inner.read(isNested: true)
      (index, line) = (inner.index, inner.line)
      commands += inner.commands
      for character in "output" { add(character) }
    }

    /// `<`, `>`, `>>`, `2>` and `2>&1`.
    private mutating func redirect() {
      if word?.allSatisfy(\.isNumber) == true { word = nil }
      endWord()
      while next == ">" || next == "&" { index += 1 }
      isRedirected = true
    }

    private mutating func endWord() {
      guard let done = word else { return }
      if isRedirected { isRedirected = false } else { words.append(done) }
      word = nil
    }

    private mutating func endCommand() {
      endWord()
      if !words.isEmpty { commands.append(ShellLine(line: start ?? line, words: words)) }
      (words, start, isRedirected) = ([], nil, false)
    }
  }
}
