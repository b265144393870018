/// Completes in zsh, with what each word is for.
struct ZshCompletions {
  let words: CompletionWords

  var text: String {
    """
    #compdef gatebook
    # Completions of gatebook for zsh: a file named _gatebook in a folder of $fpath.
    # The accounts of the book that the line names.
    _gatebook_accounts() {
      local -a given found
      local -i index
      for ((index = 2; index < CURRENT; index++)); do
        case ${words[index]} in
          (--book|--key) given+=(${words[index]} ${${(Q)words[index + 1]}/#\\~\\//$HOME/}) ;;
          (--book=*|--key=*)
            given+=(${words[index]%%=*} ${${(Q)words[index]#*=}/#\\~\\//$HOME/})
            ;;
        esac
      done
      found=(${(f)"$(${(Q)words[1]} accounts --names --wait 1 $given </dev/null 2>/dev/null)"})
      compadd -- $found
    }
    _gatebook() {
      local command='' previous=${words[CURRENT-1]}
      local -i index=2
      local -a found
      while ((index < CURRENT)); do
        case ${words[index]} in
          (\(words.valued.joined(separator: "|"))) ((index++)) ;;
          (-*) ;;
          (*)
            case "$command ${words[index]}" in
              (\(ShellText.steps(words))) command="${command:+$command }${words[index]}" ;;
            esac
            ;;
        esac
        ((index++))
      done
      case "$command:$previous" in
    \(values.joined(separator: "\n"))
      esac
      case $command in
    \(words.paths.map(next).joined(separator: "\n"))
      esac
    }
    if [[ ${funcstack[1]-} == _gatebook ]]; then
      _gatebook "$@"
    else
      compdef _gatebook gatebook
    fi

    """
  }

  private var values: [String] {
    ShellText.values(words).map { place, value in
      switch value {
      case .choices(let choices):
        "    (\(place)) compadd -- \(choices.joined(separator: " ")); return ;;"
      case .account: "    (\(place)) _gatebook_accounts; return ;;"
      case .file: "    (\(place)) _files; return ;;"
      case .text: "    (\(place)) return ;;"
      }
    }
  }

  private func next(_ path: String) -> String {
    let following = words.words(after: path).map { described($0.text, $0.note) }
    let options = words.options(after: path).map { described($0.name, $0.note) }
    let commands =
      following.isEmpty
      ? "" : "\n      found=(\(following.joined(separator: " ")))\n      _describe command found"
    let accounts = words.takesAccount(path) ? "\n      _gatebook_accounts" : ""
    let files = words.takesFile(path) ? "\n      _files" : ""
    return """
          (\(ShellText.quoted(path)))\(commands)\(accounts)\(files)
            found=(\(options.joined(separator: " ")))
            _describe -o option found
            ;;
      """
  }

  /// A word and its note as `_describe` takes them: `word:note`.
  private func described(_ word: String, _ note: String) -> String {
    ShellText.quoted("\(word):\(ShellText.short(note))")
  }
}
