#!/usr/bin/env bash
# What action.yml runs: every model that a pull request changes, on every target, against limits and against
# the version before. One text goes into the job's summary and, where the token may, into one comment, which is
# written anew on the next push. Everything from outside comes by environment variables and is quoted.
set -uo pipefail

readonly MARK='<!-- edgewright check -->'
readonly LONGEST=60000 # of 65,536 characters that a comment may have
text=$(mktemp)
before=$(mktemp -d)
trap 'rm -rf "$text" "$before"' EXIT
printf '%s\n' "$MARK" > "$text"

mapfile -t pathspecs < <(printf '%s\n' "$MODELS" | sed '/^[[:space:]]*$/d')
mapfile -t targets < <(printf '%s\n' "$TARGETS" | sed 's/^[[:space:]]*//; s/[[:space:]]*$//; /^$/d')
read -r -a options <<< "$(printf '%s' "${LIMITS:-}" | tr '\n' ' ')"
[ -z "${BUDGET:-}" ] || options+=(--budget "$BUDGET")

fork=$(git merge-base "$BASE_SHA" HEAD) || {
  echo "::error::the base branch is not here: check out with fetch-depth: 0"
  exit 2
}
mapfile -d '' -t changed < <(git diff --name-only -z --diff-filter=AMR "$fork" HEAD -- "${pathspecs[@]}")

verdict=NONE
worst() { # PASS < UNKNOWN < FAIL
  case "$verdict/$1" in FAIL/*) ;; UNKNOWN/PASS) ;; *) verdict=$1 ;; esac
}

check() {
  local model=$1 target=$2 old="$before/old.${1##*.}" against=() runtime=() said code
  if git cat-file -e "$fork:$model" 2> /dev/null; then
    git show "$fork:$model" > "$old"
    against=(--baseline "$old")
  fi
  case "$target" in */*) runtime=(-r "${target#*/}") ;; esac
  said=$(edgewright check "./$model" -t "${target%%/*}" "${runtime[@]}" "${options[@]}" "${against[@]}" \
    --format markdown 2>&1)
  code=$?
  case $code in
    0) worst PASS ;;
    11) worst UNKNOWN ;;
    10) worst FAIL ;;
    *)
      worst FAIL
      said=$(printf '### Not checked, exit code %s\n\n%s' "$code" "$(printf '%s\n' "$said" | sed 's/^/    /')")
      ;;
  esac
  printf '%s\n\n' "$said" >> "$text"
}

for model in "${changed[@]}"; do
  for target in "${targets[@]}"; do check "$model" "$target"; done
done
[ ${#changed[@]} -gt 0 ] || echo "No model changed." >> "$text"

cat "$text" >> "${GITHUB_STEP_SUMMARY:-/dev/stdout}"
echo "verdict=$verdict" >> "${GITHUB_OUTPUT:-/dev/null}"

if [ "${COMMENT:-true}" = true ] && [ -n "${PULL_REQUEST:-}" ]; then
  if [ "$(wc -c < "$text")" -gt "$LONGEST" ]; then
    head -c "$LONGEST" "$text" | iconv -c -t utf-8 > "$text.cut"
    printf '\n\nThe rest is in the summary of the job.\n' >> "$text.cut"
    mv "$text.cut" "$text"
  fi
  comments="repos/$GITHUB_REPOSITORY/issues/$PULL_REQUEST/comments"
  own=".[] | select(.user.type == \"Bot\" and (.body | startswith(\"$MARK\"))) | .id"
  former=$(gh api --paginate "$comments" --jq "$own" 2> /dev/null | head -n 1) || former=
  if [ -n "$former" ]; then
    gh api -X PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$former" -F "body=@$text" > /dev/null 2>&1
  elif [ ${#changed[@]} -gt 0 ]; then
    gh api -X POST "$comments" -F "body=@$text" > /dev/null 2>&1
  fi || echo "::notice::the token may not comment here, as one of a fork: the text is in the job's summary"
fi

case "$verdict" in
  FAIL) exit 10 ;;
  UNKNOWN) [ "${FAIL_ON_UNKNOWN:-false}" != true ] || exit 11 ;;
esac
