/// Completes in fish, with what each word is for.
struct FishCompletions {
  let words: CompletionWords

  var text: String {
    let steps = ShellText.steps(words).split(separator: " | ").joined(separator: " ")
    let head = """
      # Completions of gatebook for fish: gatebook.fish in ~/.config/fish/completions.
      function __gatebook_command
        set -l command ''
        set -l skips 0
        for word in (commandline -opc)[2..]
          if test $skips = 1
            set skips 0
            continue
          end
          switch $word
            case \(words.valued.joined(separator: " "))
              set skips 1
            case '-*'
            case '*'
              switch "$command $word"
                case \(steps)
                  set command (string trim -- "$command $word")
              end
          end
        end
        echo $command
      end
      function __gatebook_at
        test (__gatebook_command) = "$argv[1]"
      end
      # The accounts of the book that the line names.
      function __gatebook_accounts
        set -l words (commandline -opc)
        set -l given
        for index in (seq 2 (count $words))
          set -l pair
          switch $words[$index]
            case --book --key
              set pair $words[$index] $words[(math $index + 1)]
            case '--book=*' '--key=*'
              set pair (string split -m 1 = -- $words[$index])
          end
          set -q pair[2]; and set -a given $pair[1] (string replace -r '^~(?=/)' $HOME -- $pair[2])
        end
        $words[1] accounts --names --wait 1 $given </dev/null 2>/dev/null
      end
      complete -c gatebook -f

      """
    let lines = GlobalOptions.all.map { option($0, at: nil) } + words.paths.flatMap(lines)
    return head + lines.joined(separator: "\n") + "\n"
  }

  private func lines(_ path: String) -> [String] {
    let own = words.commands.first { $0.name == path }?.options ?? []
    let files =
      words.takesFile(path) ? ["complete -c gatebook -n \(condition(path)) -F"] : []
    let accounts =
      words.takesAccount(path)
      ? ["complete -c gatebook -n \(condition(path)) -a '(__gatebook_accounts)'"] : []
    return words.words(after: path).map { word in
      "complete -c gatebook -n \(condition(path)) -a \(word.text) -d \(note(word.note))"
    } + own.map { option($0, at: path) } + accounts + files
  }

  private func option(_ option: CommandOption, at path: String?) -> String {
    var line = "complete -c gatebook"
    if let path { line += " -n \(condition(path))" }
    line +=
      option.isShort ? " -s \(option.name.dropFirst())" : " -l \(option.name.dropFirst(2))"
    let choices = CompletionWords.choices(option)
    if !choices.isEmpty {
      // Each with an empty text of its own: else fish says of each what the option is for.
      let values = choices.map { $0 + #"\t"# }.joined(separator: " ")
      line += " -x -a \(ShellText.quoted(values))"
    } else if CompletionWords.namesAccount(option) {
      line += " -x -a '(__gatebook_accounts)'"
    } else if CompletionWords.namesFile(option) {
      line += " -r -F"
    } else if option.placeholder != nil, !option.mayLackValue {
      line += " -x"
    }
    return line + " -d \(note(option.note))"
  }

  private func condition(_ path: String) -> String {
    "\"__gatebook_at '\(path)'\""
  }

  private func note(_ text: String) -> String { ShellText.fishQuoted(ShellText.short(text)) }
}
