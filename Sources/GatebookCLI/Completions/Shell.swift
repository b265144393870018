/// A shell that can complete the command line of `gatebook`.
enum Shell: String, CaseIterable {
  case bash, zsh, fish

  /// The script that makes it do so: it asks the program what may come next.
  var completions: String {
    switch self {
    case .bash: Self.bashScript
    case .zsh: Self.zshScript
    case .fish: Self.fishScript
    }
  }

  private static let bashScript = #"""
    # Completions of gatebook for bash: source this file.
    _gatebook() {
      local line=${COMP_LINE:0:COMP_POINT} breaks=${COMP_WORDBREAKS//[^=:]/} prefix='' kind word words
      # Without -r: a backslash before a blank makes it part of a word.
      IFS=$' \t\n' read -d '' -a words <<<"$line"
      [[ $line == *[[:blank:]] ]] && words+=('')
      local typed=${words[${#words[@]} - 1]}
      # Bash itself keeps what stands before a colon.
      [[ $breaks ]] && prefix=${typed%"${typed##*[$breaks]}"}
      COMPREPLY=()
      {
        read -r kind
        while IFS=$'\t' read -r word _; do
          [[ $word == "$typed"* ]] && COMPREPLY+=("$(printf %q "${word#"$prefix"}")")
        done
      } < <("${words[0]}" __complete "${words[@]:1}" </dev/null 2>/dev/null)
      [[ $kind == files ]] && compopt -o default 2>/dev/null
      return 0
    }
    complete -F _gatebook gatebook

    """#

  private static let zshScript = #"""
    #compdef gatebook
    # Completions of gatebook for zsh: a file named _gatebook in a folder of $fpath.
    _gatebook() {
      local -a answer plain described options
      local word found=1
      answer=("${(@f)$(${(Q)words[1]} __complete "${(@Q)words[2,CURRENT]}" </dev/null 2>/dev/null)}")
      for word in ${answer[2,-1]}; do
        case $word in
          (-*$'\t'*) options+=("${word/$'\t'/:}") ;;
          (*$'\t'*) described+=("${word/$'\t'/:}") ;;
          (*) plain+=("$word") ;;
        esac
      done
      (($#described)) && _describe command described && found=0
      (($#plain)) && compadd -- $plain && found=0
      [[ ${answer[1]} == files ]] && _files && found=0
      (($#options)) && _describe -o option options && found=0
      return found
    }
    if [[ ${funcstack[1]-} == _gatebook ]]; then
      _gatebook "$@"
    else
      compdef _gatebook gatebook
    fi

    """#

  private static let fishScript = #"""
    # Completions of gatebook for fish: gatebook.fish in ~/.config/fish/completions.
    function __gatebook_complete
      set -l words (commandline -opc)
      set -l typed (commandline -ct)
      set -l answer ($words[1] __complete $words[2..] "$typed" </dev/null 2>/dev/null)
      for word in $answer[2..]
        # Options are offered once a dash is there.
        string match -q -- '-*' $word; and not string match -q -- '-*' "$typed"; and continue
        echo -- $word
      end
      if test "$answer[1]" = files
        set -l prefix (string match -r -- '^--[^=]*=' "$typed")
        for path in (__fish_complete_path (string replace -- "$prefix" '' "$typed"))
          echo -- "$prefix$path"
        end
      end
    end
    complete -c gatebook -f -a '(__gatebook_complete)'

    """#
}
