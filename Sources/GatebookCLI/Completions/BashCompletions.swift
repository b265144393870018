/// Completes in bash, with nothing but bash.
struct BashCompletions {
  let words: CompletionWords

  var text: String {
    """
    # Completions of gatebook for bash: source this file.
    # The accounts of the book that the line names; bash parts words such as `--key=file:PATH` and `team:ada`.
    _gatebook_accounts() {
      local name index value whole=${COMP_LINE:0:COMP_POINT} prefix='' given=()
      for ((index = 1; index < COMP_CWORD; index++)); do
        case ${COMP_WORDS[index]} in
          --book=* | --key=*)
            given+=("${COMP_WORDS[index]%%=*}")
            value=${COMP_WORDS[index]#*=}
            ;;
          --book | --key)
            given+=("${COMP_WORDS[index]}")
            [[ ${COMP_WORDS[index + 1]} == '=' ]] && ((index++))
            value=${COMP_WORDS[index + 1]}
            [[ ${COMP_WORDS[index + 2]} == ':' ]] && value+=:${COMP_WORDS[index + 3]}
            ;;
          *) continue ;;
        esac
        given+=("${value/#\\~\\//$HOME/}")
      done
      whole=${whole##*[[:blank:]]}
      [[ $whole == --*=* ]] && whole=${whole#*=}
      if [[ $whole == *:* && $COMP_WORDBREAKS == *:* ]]; then
        prefix=${whole%"${whole##*:}"}
      else
        whole=$1
      fi
      while IFS= read -r name; do
        [[ $name == "$whole"* ]] && COMPREPLY+=("$(printf %q "${name#"$prefix"}")")
      done < <("${COMP_WORDS[0]}" accounts --names --wait 1 "${given[@]}" </dev/null 2>/dev/null)
    }
    _gatebook() {
      local word=${COMP_WORDS[COMP_CWORD]} command='' index
      local previous=${COMP_WORDS[COMP_CWORD - 1]}
      for ((index = 1; index < COMP_CWORD; index++)); do
        case ${COMP_WORDS[index]} in
          \(words.valued.joined(separator: " | "))) ((index++)) ;;
          -*) ;;
          *)
            case "$command ${COMP_WORDS[index]}" in
              \(ShellText.steps(words))) command="${command:+$command }${COMP_WORDS[index]}" ;;
            esac
            ;;
        esac
      done
      case "$command:$previous" in
    \(values.joined(separator: "\n"))
      esac
      case $command in
    \(words.paths.map(next).joined(separator: "\n"))
      esac
    }
    complete -F _gatebook gatebook

    """
  }

  private var values: [String] {
    ShellText.values(words).map { place, value in
      switch value {
      case .choices(let choices): "    \(place)) \(reply(choices)) return ;;"
      case .account: "    \(place)) COMPREPLY=(); _gatebook_accounts \"$word\"; return ;;"
      case .file: "    \(place)) compopt -o default 2>/dev/null; COMPREPLY=(); return ;;"
      case .text: "    \(place)) COMPREPLY=(); return ;;"
      }
    }
  }

  private func next(_ path: String) -> String {
    let all = words.words(after: path).map(\.text) + words.options(after: path).map(\.name)
    let files = words.takesFile(path) ? " compopt -o default 2>/dev/null;" : ""
    let accounts = words.takesAccount(path) ? " _gatebook_accounts \"$word\";" : ""
    return "    \(ShellText.quoted(path))) \(reply(all))\(accounts)\(files) ;;"
  }

  private func reply(_ all: [String]) -> String {
    // Words of the table have no blanks, and nothing that a shell would expand.
    "mapfile -t COMPREPLY < <(compgen -W \(ShellText.quoted(all.joined(separator: " "))) -- \"$word\");"
  }
}
