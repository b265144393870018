internal import Gatebook
internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// `gatebook completions`, read by the shells themselves.
struct CompletionTests {
  private static let lines: [(line: String, has: [String], hasNot: [String])] = [
    ("gatebook ", ["login", "logout", "why", "help", "key"], ["http", "--flow"]),
    ("gatebook lo", ["login", "logout", "log"], ["why"]),
    ("gatebook login ", ["http", "oidc"], ["why"]),
    ("gatebook login --", ["--resume", "--book"], ["--issuer"]),
    ("gatebook --book b --wait 3 login h", ["http"], ["oidc"]),
    ("gatebook login oidc --flow ", ["code", "device"], ["--book", "http"]),
    ("gatebook login oidc --is", ["--issuer"], ["--flow"]),
    ("gatebook --key ", ["automatic", "secret-service"], ["login"]),
    ("gatebook help key ", ["move"], []),
    ("gatebook log --account log --", ["--kind", "--json"], ["--flow"]),
    ("gatebook export --format ", ["ocsf", "csv"], ["--after"]),
    ("gatebook token --format ", ["xoauth2", "exec-credential"], ["--user", "ocsf"]),
    ("gatebook log --kind login.", ["login.failed", "login.started"], ["refresh.started"]),
    ("gatebook completions ", ["bash", "zsh", "fish"], ["login"]),
    ("gatebook key move ", ["secret-service", "file", "passphrase"], ["bash"]),
  ]

  @Test(arguments: [Shell.bash, .zsh, .fish], CompletionTests.lines.map(\.line))
  func `a shell completes`(_ shell: Shell, _ line: String) throws {
    let expected = try #require(Self.lines.first { $0.line == line })
    let folder = try TemporaryFolder(named: "gatebook-test")
    defer { folder.remove() }
    let script = "\(folder.path)/completions"
    let text = shell.completions
    try TextFile.write(Array(text.utf8), to: script)
    let words = try Self.words(
      shell, script, try Self.named(line), folder.path)
    for word in expected.has {
      #expect(words.contains(word), "\(line): \(words)")
    }
    for word in expected.hasNot { #expect(!words.contains(word), "\(line): \(words)") }
  }

  @Test(arguments: [Shell.bash, .zsh, .fish])
  func `a shell completes the accounts of the book that the line names`(_ shell: Shell) throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    try scene.logIn(.ben, label: "ben's work")
    try scene.logIn(.cleo, label: "cleo")
    let gone = try scene.run("whoami", "--json").output
    let erased = try #require(gone.firstMatch(of: /[0-9a-f]{32}/)?.output)
    try scene.run("erase", "cleo", "--yes")
    let script = "\(scene.folder)/completions"
    let text = shell.completions
    try TextFile.write(Array(text.utf8), to: script)
    let program = try ChildProcess.program()
    // The book is not where it is looked for; its key is.
    let environment = "XDG_CONFIG_HOME='\(scene.folder)/config'"
    let ben = shell == .bash ? #"ben\'s\ work"# : "ben's work"
    for line in [
      "\(program) --book \(scene.book) log --account ", "\(program) --book=\(scene.book) switch ",
      "\(program) log --book ~/data/gatebook/sessions.gatebook --account ",
    ] {
      let words = try Self.words(shell, script, line, scene.folder, environment: environment)
      #expect(words.contains("ada") && words.contains(ben), "\(line): \(words)")
      #expect(words.contains(String(erased)) && !words.contains("cleo"), "\(line): \(words)")
    }
    let begun = try Self.words(
      shell, script, "\(program) --book \(scene.book) rename ad", scene.folder,
      environment: environment)
    #expect(begun.contains("ada") && !begun.contains(ben), "\(begun)")
  }

  @Test(arguments: [Shell.bash, .zsh, .fish])
  func `a shell completes the accounts of a book whose key the line names`(_ shell: Shell) throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "team:ada")
    try scene.logIn(.ben, label: "ben")
    let script = "\(scene.folder)/completions"
    let text = shell.completions
    try TextFile.write(Array(text.utf8), to: script)
    let program = try ChildProcess.program()
    let environment = "GATEBOOK_KEY='file:\(scene.folder)/none'"
    let key = "file:\(try scene.keyFile())"
    for option in ["--key \(key)", "--key=\(key)"] {
      let line = "\(program) --book \(scene.book) \(option) switch "
      let words = try Self.words(shell, script, line, scene.folder, environment: environment)
      #expect(words.contains("ben"), "\(line): \(words)")
      let begun = try Self.words(
        shell, script, line + "team:a", scene.folder, environment: environment)
      // Bash itself keeps the text before a colon.
      #expect(begun.contains(shell == .bash ? "ada" : "team:ada"), "\(line): \(begun)")
    }
  }

  @Test func `shell completions are printed without a question`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    #expect(try scene.run("accounts", "--names").output == "ada\n")
    let asked = try scene.run("accounts", "--names", "--key", "passphrase")
    #expect(asked.exit == 0 && asked.output.contains(/^[0-9a-f]{32}\n$/), "\(asked)")
    #expect(asked.errors.isEmpty, "\(asked.errors)")
    #expect(try scene.run("accounts", "--names", "--json").exit == 2)
  }

  @Test func `fish says of an option what it is for, and nothing of that of its values`() throws {
    let folder = try TemporaryFolder(named: "gatebook-test")
    defer { folder.remove() }
    let script = "\(folder.path)/completions"
    let text = Shell.fish.completions
    try TextFile.write(Array(text.utf8), to: script)
    func told(_ line: String) throws -> [Substring] {
      let code = "source \(script); complete -C \(ShellText.quoted(try Self.named(line)))"
      try TextFile.write(Array(code.utf8), to: "\(folder.path)/program")
      return try Self.output(
        of: "HOME='\(folder.path)' fish --no-config '\(folder.path)/program' 2>&1"
      ).split(separator: "\n")
    }
    let values = try told("gatebook export --format ")
    #expect(values.contains("ocsf") && values.contains("csv"), "\(values)")
    let option = try told("gatebook export --for")
    #expect(option.count == 1 && option[0].contains("jsonl: the objects"), "\(option)")
    let place = try told("gatebook key move sec")
    #expect(place == ["secret-service\tthe desktop's keyring"], "\(place)")
  }

  @Test func `the documentation has the man pages and the completions`() throws {
    let folder = try TemporaryFolder(named: "gatebook-test")
    defer { folder.remove() }
    let root = String(describing: #filePath).split(separator: "/").dropLast(4)
    let tool = "/\(root.joined(separator: "/"))/tools/docs"
    _ = try Self.output(
      of: "GATEBOOK='\(try ChildProcess.program())' '\(tool)' '\(folder.path)' 2>&1")
    for page in ManPage.all(CommandTable.commands.map { $0.help }) {
      let text = try TextFile.read("\(folder.path)/\(page.file)", what: "man page")
      #expect(text == page.text)
    }
    for shell in Shell.allCases {
      let name = shell == .zsh ? "_gatebook" : "gatebook.\(shell.rawValue)"
      let kept = try TextFile.read("\(folder.path)/\(name)", what: "completions")
      #expect(kept == shell.completions)
    }
  }

  /// The line with the program that was built in the place of its name: the scripts ask it.
  private static func named(_ line: String) throws -> String {
    try ChildProcess.program() + line.dropFirst("gatebook".count)
  }

  /// What a shell offers at the end of a line.
  private static func words(
    _ shell: Shell, _ script: String, _ line: String, _ folder: String, environment: String = ""
  ) throws -> [String] {
    let parts = line.split(separator: " ", omittingEmptySubsequences: false)
    let list = words(shell, parts).map(ShellText.quoted).joined(separator: " ")
    let code =
      switch shell {
      case .bash:
        "source \(script); COMP_LINE=\(ShellText.quoted(line)); COMP_POINT=${#COMP_LINE}; "
          + "COMP_WORDS=(\(list)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _gatebook; "
          + "printf '%s\\n' \"${COMPREPLY[@]}\""
      case .zsh:
        // Its completion system needs a terminal: what the script asks of it prints instead.
        "compdef() {}; _files() {}; compadd() { shift; print -l -- $@ }; "
          + "_describe() { [[ $1 == -o ]] && shift; print -l -- ${(P)2%%:*} }; "
          + "source \(script); words=(\(list)); CURRENT=\(parts.count); _gatebook"
      case .fish: "source \(script); complete -C \(ShellText.quoted(line))"
      }
    let program = "\(folder)/program"
    try TextFile.write(Array(code.utf8), to: program)
    let start =
      switch shell {
      case .bash: "bash --norc"
      case .zsh: "zsh -f"
      case .fish: "fish --no-config"
      }
    let output = try output(of: "HOME='\(folder)' \(environment) \(start) '\(program)' 2>&1")
    let prefix = shell == .zsh ? String(parts.last ?? "") : ""
    return output.split(separator: "\n").map { line in
      String(line.split(separator: "\t").first ?? "")
    }.filter { $0.hasPrefix(prefix) }
  }

  /// The words of a line as a shell parts it: bash does that at `=` and `:` too.
  private static func words(_ shell: Shell, _ parts: [Substring]) -> [String] {
    guard shell == .bash else { return parts.map(String.init) }
    return parts.flatMap { part -> [String] in
      guard part.contains(where: { "=:".contains($0) }) else { return [String(part)] }
      var words: [String] = [""]
      for character in part {
        if "=:".contains(character) {
          words += [String(character), ""]
        } else {
          words[words.count - 1].append(character)
        }
      }
      return words.filter { !$0.isEmpty }
    }
  }

  private static func output(of command: String) throws -> String {
    let pipe = try #require(popen(command, "r"))
    var text: [UInt8] = []
    var byte = fgetc(pipe)
    while byte != EOF {
      text.append(UInt8(byte))
      byte = fgetc(pipe)
    }
    #expect(pclose(pipe) == 0, "\(String(decoding: text, as: UTF8.self))")
    return String(decoding: text, as: UTF8.self)
  }
}
