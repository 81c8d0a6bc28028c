"""Language models by their ids and as people type them: all of it is one name, which means one model."""

from __future__ import annotations

import pytest

from edgewright.agent.names import Name, find_names
from edgewright.tools.model_zoo.language_model import language_model_meant, language_model_names

WRITTEN = {
    "qwen3-30b-a3b": ["Qwen3 30B A3B", "qwen 3 30b-a3b"],
    "mistral-small-24b": ["mistral small", "Mistral Small 24B"],
    "mistral-small-3.1-24b": ["mistral small 3.1", "Mistral Small 3.2 24B", "mistral-small3.2"],
    "qwen2.5-14b": ["deepseek r1 14b"],
    "deepseek-v3-671b": ["deepseek r1", "DeepSeek V3", "DeepSeek-R1 671B", "deepseek-v3.1"],
    "deepseek-r1-distill-qwen-1.5b": ["deepseek r1 1.5b"],
    "deepseek-r1-distill-llama-8b": ["deepseek-r1:8b"],
    "qwen2.5-32b": ["DeepSeek-R1-Distill-Qwen-32B", "QwQ 32B", "qwq-32b", "qwq"],
    "llama-3.3-70b": ["deepseek r1 distill llama 70b", "r1 distill llama 70b"],
    "phi-3-mini": ["phi 3 mini", "phi3-mini", "phi-3 mini 4k"],
    "phi-3.5-mini": ["Phi-3-mini-128k-instruct"],
    "phi-3-medium": ["phi-3 medium", "phi3 14b"],
    "phi-4": ["phi-4-reasoning", "phi 4 reasoning plus"],
    "gemma-3-4b": ["gemma3 4b"],
    "gemma-3-270m": ["gemma 3 270m"],
    "llama-3-8b": ["llama3 8b"],
    "llama-3.2-1b": ["Llama-3.2-1B-Instruct"],
    "llama-4-scout": ["llama 4 scout"],
    "llama-4-maverick": ["Llama 4 Maverick"],
    "smollm-135m": ["smollm 135m"],
    "smollm2-135m": ["smollm2 135m"],
    "smollm3-3b": ["SmolLM3 3B", "smollm3"],
    "qwen3-coder-30b-a3b": ["Qwen3-Coder 30B-A3B", "qwen3 coder", "qwen3 coder 30b"],
    "qwen3-coder-480b-a35b": ["Qwen3-Coder-480B-A35B"],
    "qwen3-30b-a3b-2507": ["Qwen3-30B-A3B-Instruct-2507"],
    "qwen3-4b-2507": ["qwen3 4b 2507", "Qwen3-4B-Thinking-2507"],
    "qwen2.5-7b": ["qwen2.5 coder 7b"],
    "qwen2.5-1.5b": ["Qwen2.5-Coder-1.5B"],
    "qwen2.5-3b": ["qwen 2.5 coder 3b"],
    "qwen3-next-80b-a3b": ["Qwen3-Next 80B-A3B", "qwen3 next", "Qwen3 Next 80B"],
    "qwen2.5-vl-3b": ["qwen2.5-vl 3b"],
    "qwen2.5-vl-7b": ["Qwen2.5-VL-7B"],
    "qwen3-vl-8b": ["qwen3-vl 8b"],
    "codestral-22b": ["codestral", "Codestral 22B"],
    "devstral-small-24b": ["devstral small", "Devstral", "devstral 24b"],
    "ministral-8b": ["Ministral 8B"],
    "ministral-3-8b": ["ministral 3 8b"],
    "ministral-3-3b": ["ministral 3b"],
    "mistral-large": ["mistral large 2", "Mistral Large 123B"],
    "magistral-small-24b": ["magistral small", "Magistral"],
    "glm-4-9b": ["GLM-4 9B", "glm4 9b"],
    "glm-4.5-air": ["GLM-4.5-Air", "glm 4.5 air"],
    "command-r-35b": ["command r", "Command R 35B", "command-r"],
    "command-r7b": ["Command R7B", "command r 7b"],
    "yi-34b": ["Yi 34B"],
    "yi-9b": ["yi-9b", "Yi-1.5-9B"],
    "llama-2-7b": ["Vicuna 7B"],
    "llama-2-13b": ["vicuna-13b"],
    "olmo-3-7b": ["OLMo 3 7B"],
    "olmo-3-32b": ["olmo 3 32b"],
    "olmo-2-7b": ["olmo2 7b"],
    "starcoder2-15b": ["StarCoder2 15B"],
    "starcoder2-7b": ["starcoder2-7b"],
    "starcoder2-3b": ["starcoder2 3b"],
    "exaone-3.5-7.8b": ["EXAONE 3.5 7.8B"],
    "exaone-3.5-2.4b": ["exaone 3.5 2.4b"],
    "llama-3.1-8b": ["Hermes 3 8B", "Hermes-3-Llama-3.1-8B"],
    "llama-3.1-70b": ["hermes 3 70b"],
    "mixtral-8x22b": ["WizardLM-2 8x22B"],
    "minicpm-2b": ["MiniCPM 2B"],
    "internlm2.5-7b": ["InternLM2.5 7B", "internlm 2.5 7b"],
    "moondream2": ["moondream2", "Moondream 2", "moondream"],
    "bitnet-b1.58-2b": ["BitNet b1.58 2B", "bitnet 2b"],
    "stablelm-2-1.6b": ["Stable LM 2 1.6B", "StableLM 2 1.6B"],
    "stablelm-zephyr-3b": ["stablelm 3b"],
    "kimi-k2": ["Kimi K2"],
    "granite-4-3b": ["granite 4 micro"],
    "granite-4-1b": ["Granite 4.0 1B"],
    "granite-3-8b": ["granite 3.3 8b", "granite 8b"],
    "codellama-7b": ["codellama 7b"],
    "falcon3-7b": ["falcon3 7b"],
    "lfm2-1.2b": ["lfm2 1.2b"],
    "pythia-1b": ["pythia 1b"],
    "llava-1.5-7b": ["llava 7b"],
    "tinyllama-1.1b": ["tinyllama"],
}  # fmt: skip
QUESTIONS = ("How many tokens per second does {} give on an RTX 4090?", "can i run {} with 24 GB of memory")


def names_in(question: str) -> list[Name]:
    return [name for name in find_names(question) if "4090" not in name.text]


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize(("model", "written"), [(m, each) for m, many in WRITTEN.items() for each in many])
def test_a_language_model_is_found_as_people_type_it(question: str, model: str, written: str) -> None:
    (name,) = names_in(question.format(written))
    assert name.text == written.replace(":", " ")
    assert language_model_meant(name.text) == model


@pytest.mark.parametrize("model", [name for name in language_model_names() if not name.startswith("whisper")])
def test_every_language_model_is_found_by_its_id(model: str) -> None:
    """Whisper's names mean its encoder where nothing is said of tokens; Qwen1.5 MoE is typed otherwise."""
    if model != "qwen1.5-moe-a2.7b":
        (name,) = names_in(f"How fast is {model} on an RTX 4090?")
        assert language_model_meant(name.text) == model


@pytest.mark.parametrize(
    "written", ["smollm:360m", "llama4:maverick", "mixtral:8x22b", "gemma3:270m", "phi3:medium"]
)
def test_a_tag_behind_a_colon_is_a_part_of_the_name(written: str) -> None:
    (name,) = names_in(f"How fast is {written} on an RTX 4090?")
    assert language_model_meant(name.text) == language_model_meant(written)


def test_a_chip_behind_a_language_model_is_none_of_its_parts() -> None:
    strange, chip = (name.text for name in find_names("tokens of qwen3 4b a9x7, please"))
    assert (strange, chip) == ("qwen3 4b", "a9x7")


def test_around_the_clock_is_no_part_of_a_name() -> None:
    assert [name.text for name in find_names("mistral 7b 24/7, what power?")] == ["mistral 7b"]
